/** Reads GIFs (GIF89a), block by block, and plays them onto a canvas of RGBA pixels. */

export interface GifFrame {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Hundredths of a second. */
  delayCs: number;
  dispose: number;
  transparentIndex: number | undefined;
  indexes: Uint8Array;
}

export interface Gif {
  width: number;
  height: number;
  palette: number[][];
  /** Application extensions, such as NETSCAPE2.0, which makes a GIF repeat. */
  applications: string[];
  frames: GifFrame[];
}

type Control = Pick<GifFrame, "delayCs" | "dispose" | "transparentIndex">;

export function readGif(bytes: Uint8Array): Gif {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ascii = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (ascii(0, 6) !== "GIF89a") throw new Error("not a GIF89a");
  let at = 13;

  function colorTable(flags: number): number[][] {
    if (!(flags & 0x80)) return [];
    const size = 2 << (flags & 7);
    const colors = Array.from({ length: size }, (_, index) => [...bytes.subarray(at + index * 3, at + index * 3 + 3)]);
    at += size * 3;
    return colors;
  }

  function subBlocks(): Uint8Array {
    const parts: number[] = [];
    for (let size = view.getUint8(at++); size > 0; size = view.getUint8(at++)) {
      parts.push(...bytes.subarray(at, at + size));
      at += size;
    }
    return Uint8Array.from(parts);
  }

  const gif: Gif = {
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
    palette: [],
    applications: [],
    frames: [],
  };
  gif.palette = colorTable(view.getUint8(10));
  let control: Control | undefined;
  for (;;) {
    const block = view.getUint8(at++);
    if (block === 0x3b) break;
    if (block === 0x21) {
      const label = view.getUint8(at++);
      if (label === 0xff) gif.applications.push(ascii(at + 1, at + 12));
      const data = subBlocks();
      if (label === 0xf9) control = readControl(data);
    } else if (block === 0x2c) {
      if (!control) throw new Error("a frame without a graphic control extension");
      const [x, y, width, height] = [0, 2, 4, 6].map((offset) => view.getUint16(at + offset, true)) as Four;
      if (x + width > gif.width || y + height > gif.height) throw new Error("a frame outside the picture");
      if (view.getUint8(at + 8) !== 0) throw new Error("a local colour table or interlacing, which this cannot read");
      const codeSize = view.getUint8(at + 9);
      at += 10;
      gif.frames.push({ x, y, width, height, ...control, indexes: unpack(subBlocks(), codeSize, width * height) });
      control = undefined;
    } else throw new Error(`an unknown block ${block} at ${at - 1}`);
  }
  if (at !== bytes.length) throw new Error("bytes after the trailer");
  return gif;
}

type Four = [number, number, number, number];

function readControl(data: Uint8Array): Control {
  const [flags = 0, low = 0, high = 0, transparentIndex = 0] = data;
  return {
    delayCs: low + high * 256,
    dispose: (flags >> 2) & 7,
    transparentIndex: flags & 1 ? transparentIndex : undefined,
  };
}

/** LZW with growing codes (GIF89a, appendix F). */
function unpack(data: Uint8Array, codeSize: number, length: number): Uint8Array {
  const clear = 1 << codeSize;
  const out = new Uint8Array(length);
  // Each code is the text of another one and one more index.
  const prefix = new Int32Array(4096);
  const last = new Uint8Array(4096);
  const sizes = new Int32Array(4096);
  for (let code = 0; code < clear; code++) {
    last[code] = code;
    sizes[code] = 1;
    prefix[code] = -1;
  }
  let [next, bits, previous, written, buffer, held, at] = [clear + 2, codeSize + 1, -1, 0, 0, 0, 0];

  const write = (code: number) => {
    const size = sizes[code] ?? 0;
    for (let end = written + size - 1, part = code; end >= written; end--, part = prefix[part] ?? -1)
      out[end] = last[part] ?? 0;
    written += size;
  };
  const firstOf = (code: number) => {
    let part = code;
    while ((prefix[part] ?? -1) >= 0) part = prefix[part] ?? 0;
    return last[part] ?? 0;
  };

  for (;;) {
    while (held < bits) {
      if (at >= data.length) throw new Error("the picture's data ends too early");
      buffer |= (data[at++] ?? 0) << held;
      held += 8;
    }
    const code = buffer & ((1 << bits) - 1);
    buffer >>>= bits;
    held -= bits;
    if (code === clear + 1) break;
    if (code === clear) {
      [next, bits, previous] = [clear + 2, codeSize + 1, -1];
      continue;
    }
    if (code > next || (code === next && previous < 0)) throw new Error("a code before its definition");
    if (previous >= 0 && next < 4096) {
      prefix[next] = previous;
      sizes[next] = (sizes[previous] ?? 0) + 1;
      last[next] = firstOf(code === next ? previous : code);
      next++;
      if (next === 1 << bits && bits < 12) bits++;
    }
    write(code);
    previous = code;
  }
  if (written !== length) throw new Error(`${written} pixels instead of ${length}`);
  return out;
}

/** What is seen at each frame: RGBA, row by row. */
export function play(gif: Gif): Uint8ClampedArray[] {
  const canvas = new Uint32Array(gif.width * gif.height);
  const colors = gif.palette.map(([r = 0, g = 0, b = 0]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0);
  return gif.frames.map((frame, index) => {
    const before = gif.frames[index - 1];
    if (before?.dispose === 2) for (const [start, end] of rowsOf(gif, before)) canvas.fill(0, start, end);
    let pixel = 0;
    for (const [start, end] of rowsOf(gif, frame))
      for (let at = start; at < end; at++) {
        const color = frame.indexes[pixel++] ?? 0;
        if (color !== frame.transparentIndex) canvas[at] = colors[color] ?? 0;
      }
    return new Uint8ClampedArray(canvas.slice().buffer);
  });
}

/** Where a frame's rows start and end in the whole picture. */
function rowsOf(gif: Gif, { x, y, width, height }: GifFrame): [number, number][] {
  return Array.from({ length: height }, (_, row) => {
    const start = (y + row) * gif.width + x;
    return [start, start + width];
  });
}
