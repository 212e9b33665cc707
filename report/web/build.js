// Bundles src/ and three.js into ../src/page/page.js, which the Rust build takes as it is.
//
// The first line names the checksums of what the bundle was made from and of the bundle itself; a Rust test computes both again.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { build } from "esbuild";

const TARGET = "../src/page/page.js";
const here = (name) => new URL(name, import.meta.url);

/** Names of everything that the bundle depends on, in ascending order. */
function sources() {
  const modules = readdirSync(here("src")).filter((name) => name.endsWith(".js"));
  return ["build.js", "package-lock.json", "package.json", ...modules.map((name) => `src/${name}`)].sort();
}

/** CRC-32 of names and contents, each ended by a zero byte. */
function digest(names) {
  let sum = 0;
  for (const name of names) {
    sum = crc32(Buffer.concat([Buffer.from(`${name}\0`), readFileSync(here(name)), Buffer.from("\0")]), sum);
  }
  return sum;
}

const hex = (sum) => sum.toString(16).padStart(8, "0");

const { version } = JSON.parse(readFileSync(here("node_modules/three/package.json"), "utf8"));
const licence = readFileSync(here("node_modules/three/LICENSE"), "utf8").trim();
const result = await build({
  absWorkingDir: new URL(".", import.meta.url).pathname,
  entryPoints: ["src/main.js"],
  bundle: true,
  minify: true,
  charset: "ascii",
  format: "iife",
  target: "es2022",
  legalComments: "none",
  banner: { js: `/*! Contains three.js ${version}:\n${licence}\n*/` },
  write: false,
});
const script = result.outputFiles[0].text;
const head = `/* Made by "npm ci && npm run build" in web/; sources ${hex(digest(sources()))}, bundle ${hex(crc32(script))}. */\n`;
writeFileSync(here(TARGET), head + script);
console.log(`${TARGET}: ${head.length + script.length} bytes`);
