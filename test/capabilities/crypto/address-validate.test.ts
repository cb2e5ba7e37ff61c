import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cryptoAddressValidate } from "../../../src/capabilities/crypto/index.js";
import { howMany } from "../../support/how-many.js";

type Chain = Parameters<typeof cryptoAddressValidate>[0]["chain"];
const CHAINS: Chain[] = ["btc", "eth", "sol", "ltc", "trx", "xrp", "bch"];

async function check(chain: Chain, address: string) {
  const { items } = await cryptoAddressValidate({ chain, address });
  return items[0];
}

const CASHADDR = "bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy";

describe("crypto.address-validate", () => {
  it("answers with the canonical form and the kind of a valid address", async () => {
    const address = "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4";
    expect(await cryptoAddressValidate({ chain: "btc", address })).toEqual({
      ok: true,
      items: [
        {
          chain: "btc",
          address,
          valid: true,
          canonical: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
          format: "p2wpkh",
          reason: null,
        },
      ],
      total: 1,
      source: { provider: "local", url: "https://github.com/paulmillr/scure-base", license: "MIT" },
    });
  });

  it("answers an invalid address with the reason, not with an error", async () => {
    const address = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb";
    const { items, total } = await cryptoAddressValidate({ chain: "btc", address });
    expect(total).toBe(1);
    expect(items).toEqual([
      { chain: "btc", address, valid: false, canonical: null, format: null, reason: "bad checksum" },
    ]);
  });

  it.each<[Chain, string, string]>([
    ["btc", "p2pkh", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
    ["btc", "p2sh", "3CMNFxN1oHBc4R1EpboAL5yzHGgE611Xou"],
    ["btc", "p2wpkh", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
    ["btc", "p2wsh", "bc1qyucykdlhp62tezs0hagqury402qwhk589q80tqs5myh3rxq34nwqhkdhv7"],
    ["btc", "p2tr", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"],
    ["btc", "witness_v1", "bc1pfeessrawgf"],
    ["btc", "witness_v2", "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs"],
    ["ltc", "p2pkh", "LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9"],
    ["ltc", "p2sh", "MCZjFcwYJwwYqXAbd3bbnxaCVGs81cp43Z"],
    // Public addresses of extension blocks, as wallets and their tests print them.
    [
      "ltc",
      "mweb",
      "ltcmweb1qqt9rwznnxzkghv4s5wgtwxs0m0ry6n3atp95f47slppapxljde3xyqmdlnrc8ag7y2k354jzdc4pc4ks0kr43jehr77lngdecgh6689nn5mgv5yn",
    ],
    [
      "ltc",
      "mweb",
      "ltcmweb1qq20e2arnhvxw97katjkmsd35agw3capxjkrkh7dk8d30rczm8ypxuq329nwh2twmchhqn3jqh7ua4ps539f6aazh79jy76urqht4qa59ts3at6gf",
    ],
    ["ltc", "p2wpkh", "ltc1qxjkwr09apz3w5hsr33uyq9sdfx8tn26g39g00g"],
    ["eth", "eip55", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["eth", "eip55", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"],
    ["eth", "uppercase", "0x52908400098527886E0F7030069857D2E4169EE7"],
    ["eth", "lowercase", "0xde709f2102306220921060314715629080e2fb77"],
    ["sol", "ed25519", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"],
    ["sol", "ed25519", "11111111111111111111111111111111"],
    ["sol", "off_curve", "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1"],
    ["trx", "base58check", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC"],
    ["xrp", "classic", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
    ["bch", "cashaddr_p2pkh", CASHADDR],
    ["bch", "cashaddr_p2sh", "bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq"],
    ["bch", "cashaddr_p2sh32", "bitcoincash:pwqwzrf7z06m7nn58tkdjyxqfewanlhyrpxysack85xvf3mt0rv02l9dxc5uf"],
    ["bch", "cashaddr_p2sh32_tokens", "bitcoincash:rwyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygs9zvatfpg"],
    ["bch", "cashaddr_p2pkh_tokens", "bitcoincash:zr6m7j9njldwwzlg9v7v53unlr4jkmx6eycnjehshe"],
  ])("%s knows %s", async (chain, format, address) => {
    expect(await check(chain, address)).toMatchObject({ valid: true, format, canonical: address, reason: null });
  });

  it.each<[Chain, string, string]>([
    ["eth", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["eth", "0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["ltc", "3FLj1iFqS359KvBXeaStPgqX7hgyifVKbN", "MMYsKbfoP9va8RTRkTSEDL5vSQHRoY4jjW"],
    ["bch", "1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR", CASHADDR],
    ["bch", "QR95SY3J9XWD2AP32XKYKTTR4CVCU7AS4Y0QVERFUY", CASHADDR],
    ["bch", CASHADDR.toUpperCase(), CASHADDR],
    ["bch", "3LDsS579y7sruadqu11beEJoTjdFiFCdX4", "bitcoincash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e"],
  ])("%s: %s is written %s", async (chain, address, canonical) => {
    expect(await check(chain, address)).toMatchObject({ valid: true, address, canonical });
    expect((await check(chain, canonical))?.canonical).toBe(canonical);
  });

  it.each([
    ["X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu", "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59", 1],
    ["XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc", "rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf", 0],
    ["XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi", "rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf", 4294967295],
    ["XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb", "rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf", null],
  ])("reads account and tag of the X-address %s", async (address, classicAddress, tag) => {
    expect(await check("xrp", address)).toMatchObject({ format: "x_address", canonical: address, classicAddress, tag });
    expect(await check("xrp", classicAddress)).not.toHaveProperty("tag");
  });

  it.each<[string, Chain, string]>([
    ["bad checksum", "btc", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3"],
    ["bad checksum", "btc", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"],
    ["bad checksum", "eth", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"],
    ["bad checksum", "trx", "TYPG8VeuoVAh2hP7Vfw6ww7vK98nvXXXUs"],
    ["bad checksum", "xrp", "rU6K7V3Po4snVhBBaU29sesqs2qTQJWDw2"],
    ["bad checksum", "bch", "bchtest:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"],
    ["bad length", "btc", "bc1gmk9yu"],
    ["bad length", "btc", "bc1qdsuzmn04k2z8vryw8l4dj8m5ygqgnne5n"],
    ["bad length", "btc", `bc1${"q".repeat(97)}`],
    // Padding of more than four bits, and padding that is not zero.
    ["bad length", "btc", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf"],
    ["bad length", "btc", "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j"],
    // A private key is no address.
    ["bad length", "btc", "5Kd3NBUAdUnhyzenEwVLy9pBKxSwXvE9FMPyR4UKZvpe6E3AgLr"],
    ["bad length", "eth", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae"],
    ["bad length", "sol", "1".repeat(31)],
    ["bad length", "bch", "bitcoincash:qqqqqqqq"],
    ["bad character", "btc", "1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0a"],
    ["bad character", "btc", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3tb"],
    ["bad character", "btc", " 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
    ["bad character", "eth", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg"],
    ["bad character", "sol", "2gVkYWexTHR5Hb2aLeQN3tnngvWzisFKXDUPrgMHpdSl"],
    ["bad character", "bch", `bitcoincash:${CASHADDR}`],
    [
      "bad checksum",
      "ltc",
      "ltcmweb1qqt9rwznnxzkghv4s5wgtwxs0m0ry6n3atp95f47slppapxljde3xyqmdlnrc8ag7y2k354jzdc4pc4ks0kr43jehr77lngdecgh6689nn5mgv5yq",
    ],
    [
      "testnet address",
      "ltc",
      "tmweb1qq20e2arnhvxw97katjkmsd35agw3capxjkrkh7dk8d30rczm8ypxuq329nwh2twmchhqn3jqh7ua4ps539f6aazh79jy76urqht4qa59tss52d57",
    ],
    ["bad checksum", "ltc", "ltcmweb1qqqqqqqq"],
    ["wrong network", "btc", "ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea"],
    ["wrong network", "btc", "LUxXFcwXFPpRZdMv4aYu6bDwPdC2skQ5YW"],
    ["wrong network", "btc", "tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty"],
    ["wrong network", "ltc", "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH"],
    ["wrong network", "trx", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
    ["wrong network", "bch", "pref:pr6m7j9njldwwzlg9v7v53unlr4jkmx6ey65nvtks5"],
    ["wrong network", "bch", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC"],
    ["testnet address", "btc", "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7"],
    ["testnet address", "btc", "2MxgPqX1iThW3oZVk9KoFcE5M4JpiETssVN"],
    ["testnet address", "btc", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn"],
    ["testnet address", "ltc", "QW2SvwjaJU8LD6GSmtm1PHnBG2xPuxwZFy"],
    ["testnet address", "trx", "27bLJCYjbH6MT8DBF9xcrK6yZnm43vx7MNQ"],
    ["testnet address", "xrp", "T719a5UwUCnEs54UsxG9CJYYDhwmFCvbJNZbi37gBGkRkbE"],
    ["testnet address", "bch", "bchtest:qph5kuz78czq00e3t85ugpgd7xmer5kr7csm740kf2"],
    ["testnet address", "bch", "qph5kuz78czq00e3t85ugpgd7xmer5kr7csm740kf2"],
    ["testnet address", "bch", "mqfRfwGeZnFwfFE7KWJjyg6Yx212iGi6Fi"],
    ["mixed case", "btc", "bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
    ["mixed case", "bch", `BITCOINCASH${CASHADDR.slice(11)}`],
    ["wrong checksum algorithm", "btc", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh"],
    ["wrong checksum algorithm", "btc", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd"],
    ["unknown format", "btc", "BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R"],
    ["unknown format", "eth", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["unknown format", "eth", "0X5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED"],
    ["unknown format", "trx", "415cbdfbd57fa4f20687b2c33f84c4f9017e5895d4"],
    ["unknown format", "trx", "0x65cfbd57fa4f20687b2c33f84c4f9017e5895d49"],
    // The flag says that there is no tag, and then comes one.
    ["unknown format", "xrp", "X76UnYEMbQfEs3mUqgtjp4zFy9exgSybYUh1taorDmyP7YL"],
    ["unknown format", "bch", "bchtest:pgagf7w02x4wnz3mkwnchut2vxphjzccwxgjvvjmlsxqwkcvs7md7wt"],
  ])("%s: %s %s", async (reason, chain, address) => {
    expect(await check(chain, address)).toEqual({
      chain,
      address,
      valid: false,
      canonical: null,
      format: null,
      reason,
    });
  });

  it("answers every text of 1 to 100 characters on every chain", async () => {
    const address = fc.oneof(
      fc.string({ minLength: 1, maxLength: 100, unit: "binary" }),
      fc.stringMatching(/^(bc1|tb1|0x|bitcoincash:|X|r|T)?[0-9a-zA-Z]{1,80}$/),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...CHAINS), address, async (chain, address) => {
        const item = await check(chain, address);
        expect(item?.valid).toBe(item?.reason === null);
        expect(item?.canonical === null).toBe(!item?.valid);
      }),
      { numRuns: howMany(500, 100) },
    );
  });

  it("one changed character makes an address invalid, where the chain has checksums", async () => {
    const addresses: [Chain, string][] = [
      ["btc", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"],
      ["btc", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
      ["bch", CASHADDR],
      ["xrp", "XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb"],
      ["trx", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC"],
    ];
    for (const [chain, address] of addresses)
      for (let index = 0; index < address.length; index++) {
        const other = address[index] === "q" ? "p" : "q";
        const changed = address.slice(0, index) + other + address.slice(index + 1);
        expect(await check(chain, changed)).toMatchObject({ valid: false });
      }
  });

  it.each([
    ["chain", { address: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa" }],
    ["chain", { chain: "doge", address: "D8vFz4p1L37jdg47HXKtSHA5uYLYxbGgPD" }],
    ["chain", { chain: "constructor", address: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa" }],
    ["address", { chain: "btc" }],
    ["address", { chain: "btc", address: "" }],
    ["address", { chain: "eth", address: "a".repeat(101) }],
  ])("refuses a wrong %s: %o", async (path, input) => {
    await expect(cryptoAddressValidate(input as never)).rejects.toMatchObject({
      status: 400,
      code: "INVALID_INPUT",
      issues: [{ path }],
    });
  });
});
