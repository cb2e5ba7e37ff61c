import { createCanvas } from "@napi-rs/canvas";
import { countdownGif } from "coinslot/capabilities/countdown";
import gifenc from "gifenc";
import { printRates, race, say } from "./measure.mjs";

export const title = "Countdown pictures encoded, beside a plain loop over the same canvas and encoder";

const FRAMES = 60;
const WIDTH = 600;
const HEIGHT = 150;
const now = new Date("2029-12-31T22:58:30Z");
const endDate = "2030-01-01T00:00:00Z";

const ours = async () => (await countdownGif({ endDate, seconds: FRAMES, width: WIDTH, height: HEIGHT }, at)).body;
const at = { clock: () => now };

/** As gifenc's own examples do it: every picture drawn, quantized and written as a whole. */
function plainLoop() {
  const canvas = createCanvas(WIDTH, HEIGHT);
  const ctx = canvas.getContext("2d");
  const gif = gifenc.GIFEncoder();
  for (let frame = 0; frame < FRAMES; frame++) {
    drawPicture(ctx, Math.ceil((Date.parse(endDate) - now.getTime()) / 1000) - frame);
    const { data } = ctx.getImageData(0, 0, WIDTH, HEIGHT);
    const palette = gifenc.quantize(data, 256);
    gif.writeFrame(gifenc.applyPalette(data, palette), WIDTH, HEIGHT, { palette, delay: 1000 });
  }
  gif.finish();
  return gif.bytes();
}

function drawPicture(ctx, secondsLeft) {
  const values = [secondsLeft / 86_400, (secondsLeft / 3600) % 24, (secondsLeft / 60) % 60, secondsLeft % 60];
  ctx.fillStyle = "#ffffff";
  ctx.fillRect(0, 0, WIDTH, HEIGHT);
  ctx.fillStyle = "#111111";
  ctx.textAlign = "center";
  for (const [cell, value] of values.entries()) {
    const x = (WIDTH * (cell + 0.5)) / values.length;
    // The fonts that the package brings: its first countdown has made them known.
    ctx.font = '64px "Countdown Mono Bold"';
    ctx.fillText(String(Math.floor(value)).padStart(2, "0"), x, 85);
    ctx.font = '14px "Countdown Sans"';
    ctx.fillText(["DAYS", "HOURS", "MINUTES", "SECONDS"][cell], x, 120);
  }
}

export async function run() {
  const [own, plain] = [(await ours()).length, plainLoop().length];
  const contenders = [
    { name: "coinslot", run: ours, units: FRAMES },
    { name: "gifenc, plain loop", run: plainLoop, units: FRAMES },
  ];
  printRates(await race(contenders, { rounds: 7, count: 3 }), "gifenc, plain loop", "frames per second");
  const kilobytes = (bytes) => `${Math.round(bytes / 1024)} KB`;
  say(`  ${FRAMES} frames of ${WIDTH} x ${HEIGHT} weigh ${kilobytes(own)}, by the plain loop ${kilobytes(plain)}.`);
  return [];
}
