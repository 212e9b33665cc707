// Going through the moments of a run: slider, single steps, play.

import { text } from "./figures.js";

/** Moments a second while it plays. */
const PACE = 12;

export class Time {
  /** `go` is told the index of the moment to show. */
  constructor(parts, go) {
    this.parts = parts;
    this.go = go;
    parts.slider.addEventListener("input", () => this.to(Number(parts.slider.value)));
    parts.play.addEventListener("click", () => this.toggle());
    parts.back.addEventListener("click", () => this.step(-1));
    parts.forth.addEventListener("click", () => this.step(1));
  }

  /** Shows where it is. */
  show(index, moments, moment) {
    this.index = index;
    this.last = moments - 1;
    const { slider, label, play, back, forth } = this.parts;
    slider.max = this.last;
    slider.value = index;
    slider.setAttribute("aria-valuetext", `step ${moment.step}`);
    label.textContent = `step ${moment.step}, ${text(moment.time, "s")}`;
    for (const part of [slider, play]) part.disabled = this.last === 0;
    back.disabled = index === 0;
    forth.disabled = index >= this.last;
  }

  to(index) {
    this.stop();
    this.go(Math.min(Math.max(index, 0), this.last));
  }

  step(by) {
    this.to(this.index + by);
  }

  get isPlaying() {
    return this.timer !== undefined;
  }

  /** Plays from where it is, or stops; from the start once the end is reached. */
  toggle() {
    if (this.isPlaying) return this.stop();
    if (this.last === 0) return;
    if (this.index >= this.last) this.go(0);
    this.timer = setInterval(() => {
      // Another run may have fewer moments.
      if (this.index >= this.last) return this.stop();
      this.go(this.index + 1);
      if (this.index >= this.last) this.stop();
    }, 1000 / PACE);
    this.label();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.label();
  }

  label() {
    this.parts.play.textContent = this.isPlaying ? "Pause" : "Play";
    document.body.dataset.playing = `${this.isPlaying}`;
  }
}
