"""The ten cases of the assessment by all methods (its table 8): coverage and quality beside the published ones, in per cent."""

import drystone as ds
import polars as pl

cases = [ds.Scene(name, model="recorded") for name in ds.scene_names()[:10]]
published = [ds.Method(method.name, variant="published") for method in ds.methods()[:8]]
table = ds.assess(cases, published).to_polars()
figures = ["coverage", "published_coverage", "quality", "published_quality"]
with pl.Config(tbl_rows=-1, tbl_cols=-1):
    print(table.select("scene", "method", *((pl.col(name) * 100).round(1) for name in figures)))
