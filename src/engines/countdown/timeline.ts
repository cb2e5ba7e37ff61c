/** Pictures of a countdown and their durations. */

const SECONDS_PER_DAY = 86_400;
const SECONDS_PER_HOUR = 3_600;

/** One picture of the animation: whole seconds left, and its time on screen in hundredths of a second. */
export interface Frame {
  secondsLeft: number;
  delayCs: number;
}

export interface Span {
  /** Milliseconds from the first picture to the end date; zero or less after it. */
  leftMs: number;
  seconds: number;
  fps: number;
}

/**
 * The distinct pictures of `seconds` x `fps` frames, each with the summed delay of its frames. Seconds are rounded up,
 * so that zero appears exactly at the end, where the animation stops.
 */
export function timeline({ leftMs, seconds, fps }: Span): Frame[] {
  // Boundaries are rounded, not delays: 3 frames a second last 33, 34 and 33, and the sum is exact.
  const startCs = (index: number) => Math.round((index * 100) / fps);
  const frames: Frame[] = [];
  for (let index = 0; index < seconds * fps; index++) {
    const secondsLeft = Math.max(0, Math.ceil(leftMs / 1000 - index / fps));
    const delayCs = startCs(index + 1) - startCs(index);
    const last = frames.at(-1);
    if (last?.secondsLeft === secondsLeft) last.delayCs += delayCs;
    else frames.push({ secondsLeft, delayCs });
    if (secondsLeft === 0) break;
  }
  return frames;
}

/** Days, hours, minutes and seconds, at least two digits each; without days the hours include them. */
export function toDigits(secondsLeft: number, showDays: boolean): string[] {
  const hours = Math.floor(secondsLeft / SECONDS_PER_HOUR);
  const clock = [Math.floor((secondsLeft % SECONDS_PER_HOUR) / 60), secondsLeft % 60];
  const values = showDays ? [Math.floor(secondsLeft / SECONDS_PER_DAY), hours % 24, ...clock] : [hours, ...clock];
  return values.map((value) => String(value).padStart(2, "0"));
}
