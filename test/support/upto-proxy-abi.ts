/** The ABIs of the proxies that settle payments by Permit2: what contracts, not our reader of their calls, understand. */
const uint = (name: string) => ({ name, type: "uint256" });
const address = (name: string) => ({ name, type: "address" });
const tuple = (name: string, components: object[]) => ({ name, type: "tuple", components });
const bytes = (name: string, type = "bytes") => ({ name, type });
const settlement = [
  tuple("permit", [tuple("permitted", [address("token"), uint("amount")]), uint("nonce"), uint("deadline")]),
  uint("amount"),
  address("owner"),
  tuple("witness", [address("to"), address("facilitator"), uint("validAfter")]),
  bytes("signature"),
];
const allowance = tuple("permit2612", [
  uint("value"),
  uint("deadline"),
  bytes("r", "bytes32"),
  bytes("s", "bytes32"),
  { name: "v", type: "uint8" },
]);

/** The proxy's two ways to settle. */
export const PROXY_ABI = [
  { type: "function", name: "settle", stateMutability: "nonpayable", inputs: settlement, outputs: [] },
  {
    type: "function",
    name: "settleWithPermit",
    stateMutability: "nonpayable",
    outputs: [],
    inputs: [allowance, ...settlement],
  },
];

/** The way of the proxy for whole amounts. */
export const EXACT_ABI = [
  {
    type: "function",
    name: "settle",
    stateMutability: "nonpayable",
    outputs: [],
    inputs: [
      tuple("permit", [tuple("permitted", [address("token"), uint("amount")]), uint("nonce"), uint("deadline")]),
      address("owner"),
      tuple("witness", [address("to"), uint("validAfter")]),
      bytes("signature"),
    ],
  },
];
