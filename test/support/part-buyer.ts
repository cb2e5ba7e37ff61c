/** A buyer that reads a stream and pays for it by one voucher after the other, with whatever vouchers a test hands over. */
import type { PrivateKeyAccount } from "viem/accounts";
import { z } from "zod";
import { legacy } from "../../src/capability/output.js";
import { defineOwnCapability } from "../../src/capability/own/own.js";
import type { PaymentRequirements } from "../../src/payment/x402/wire.js";
import { craft, offerOf } from "./channel-shop.js";
import { readEvents } from "./events.js";

/** Says words, each for $0.002, at most $0.02; without a word told, what it uses is known at its end only. */
export const talker = (before: (word: number) => Promise<void> | void = () => {}) => {
  const state = { made: 0 };
  const capability = defineOwnCapability({
    id: "test.talk",
    summary: "Talks, by the word.",
    price: "0.02",
    billing: "upto",
    timeoutMs: 20_000,
    source: { provider: "test", url: "", license: "MIT" },
    input: () =>
      z.strictObject({
        words: z.int().min(1).max(100).describe("How many"),
        silent: z.boolean().default(false).describe("Whether usage is reported at the end only"),
      }),
    output: legacy(() => z.object({ words: z.number() })),
    example: { words: 3, silent: false },
    async *stream({ words, silent }, { meter }) {
      for (let word = 1; word <= words; word++) {
        await before(word);
        if (!silent) meter.add("0.002");
        state.made++;
        yield { word };
      }
      if (silent) meter.add(String(words * 0.002));
      return { words };
    },
  });
  return { capability, state };
};

export const TALK = "http://shop.test/api/test/talk";

export interface Ask {
  stream: string;
  dueUsd: string;
  paidUsd: string;
  next: string;
  nextUsd: string;
  waitSeconds: number;
}

export async function partBuyer(fetch: typeof globalThis.fetch, account: PrivateKeyAccount, charged = 0n) {
  const offer = await offerOf(fetch, `${TALK}?words=1`);
  /** The header of a voucher for this much of the stream. */
  const voucher = async (part: bigint, options: Parameters<typeof craft>[3] = {}, named = part) =>
    (await craft({ ...offer, amount: String(named) } as PaymentRequirements, account, charged + part, options)).header;

  return {
    offer,
    voucher,
    async begin(header: string, words = 5, more: { signal?: AbortSignal; silent?: boolean } = {}) {
      const { signal, silent = false } = more;
      const response = await fetch(`${TALK}?words=${words}${silent ? "&silent=true" : ""}`, {
        headers: { accept: "text/event-stream", "payment-signature": header },
        ...(signal ? { signal } : {}),
      });
      const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
      const id = response.headers.get("payment-stream") ?? "";
      let text = "";
      let asks = 0;
      const decoder = new TextDecoder();
      const read = async (enough: () => boolean) => {
        while (!enough()) {
          const { done, value } = await reader.read();
          if (done) return;
          text += decoder.decode(value, { stream: true });
        }
      };
      return {
        response,
        id,
        reader,
        /** Reads until the stream asks for its next voucher. */
        async asked(): Promise<Ask> {
          asks++;
          await read(() => text.split("event: payment\n").length > asks);
          const all = [...text.matchAll(/event: payment\ndata: (.*)\n/g)];
          return JSON.parse(all.at(-1)?.[1] ?? "null");
        },
        async end() {
          await read(() => false);
          return readEvents(text.replace(/event: payment\ndata: .*\n\n/g, ""));
        },
        text: () => text,
      };
    },
    /** Hands a voucher over, at the stream's own address by default. */
    hand: (stream: string, header: string, at: typeof globalThis.fetch = fetch) =>
      at(TALK, { headers: { "payment-stream": stream, "payment-signature": header } }),
  };
}
