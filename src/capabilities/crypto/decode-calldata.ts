import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { abiWords, decodeCall } from "../../engines/calldata/decode.js";
import { fourByte } from "../../providers/four-byte/provider.js";
import { sourcifySignatures } from "../../providers/sourcify/provider.js";
import { readSignatures } from "../../providers/sourcify/signatures.js";

const MAX_LENGTH = 60_000;
/** Maximum number of signatures to try. */
const MAX_TRIED = 5;

export const cryptoDecodeCalldata = /* @__PURE__ */ defineCapability({
  id: "crypto.decode-calldata",
  method: "POST",
  summary:
    "Decode the input data of an EVM transaction: the function by its selector, its parameters, and the raw words.",
  keywords: ["calldata", "abi", "selector", "4byte", "function signature", "transaction input", "decode", "ethereum"],
  price: "0.001",
  provider: sourcifySignatures,
  origins: [sourcifySignatures, fourByte],
  input: () =>
    z.strictObject({
      data: z
        .string()
        .max(MAX_LENGTH)
        .regex(/^(?:0x)?(?:[0-9a-fA-F]{2}){4,}$/, {
          error: "must be whole bytes in hexadecimal digits, at least the 4 of a selector",
        })
        .meta({ minLength: 8 })
        .describe("The data, with or without 0x, at least the 4 bytes of a selector"),
    }),
  output: one(() =>
    z.object({
      selector: z.string(),
      signatures: z
        .array(
          z.object({
            signature: z.string(),
            source: z.enum(["sourcify", "4byte.directory"]),
            verified: z.boolean().describe("Whether a contract with this function has shown its source"),
            decodes: z.boolean().describe("Whether a contract with this function takes the data"),
          }),
        )
        .describe("What the selector may stand for, the likeliest first; none for an unknown one"),
      signature: z.string().nullable().describe("The likeliest one that fits the data"),
      functionName: z.string().nullable(),
      params: z.array(
        z.object({
          name: z.string().nullable(),
          type: z.string(),
          value: z
            .unknown()
            .describe(
              "Whole numbers as decimal text, bytes as hex, addresses with checksum, arrays and tuples as arrays; in text, U+FFFD for bytes that are no UTF-8",
            ),
        }),
      ),
      canonical: z
        .boolean()
        .nullable()
        .describe(
          "Whether the data is what encoders write for these values: no gaps, nothing shared, zeros as padding; null without a signature",
        ),
      words: z.array(z.string()).describe("The 32-byte words after the selector, in hex; the last may be shorter"),
      byteLength: z.int(),
    }),
  ),
  packages: ["viem"],
  example: {
    data: "0xa9059cbb000000000000000000000000b5d85cbf7cb3ee0d56b3bb207d5fc4b82f43f51100000000000000000000000000000000000000000000000000000000457fbf80",
  },
  read: ({ data }) => ({ data: `0x${data.replace(/^0x/, "").toLowerCase()}` as const }),
  async run({ data }, ctx) {
    const selector = data.slice(0, 10);
    const { signatures, incomplete } = await readSignatures(ctx, selector);
    const tried = await Promise.all(
      signatures.slice(0, MAX_TRIED).map(async (known) => ({ known, call: await decodeCall(data, known.signature) })),
    );
    const candidates = [...tried.filter(({ call }) => call), ...tried.filter(({ call }) => !call)];
    const best = candidates.find(({ call }) => call);
    const meta = {
      ...(best?.call?.trailingBytes ? { trailingBytes: best.call.trailingBytes } : {}),
      // The words are an answer without a database; the claim that a selector is unknown is not.
      ...(incomplete && signatures.length === 0 ? { databaseError: true } : {}),
    };
    return {
      item: {
        selector,
        signatures: candidates.map(({ known, call }) => ({ ...known, decodes: call !== undefined })),
        signature: best?.known.signature ?? null,
        functionName: best?.call?.functionName ?? null,
        params: best?.call?.params ?? [],
        canonical: best?.call?.isCanonical ?? null,
        words: abiWords(data),
        byteLength: data.length / 2 - 1,
      },
      ...(Object.keys(meta).length > 0 ? { meta } : {}),
    };
  },
});
