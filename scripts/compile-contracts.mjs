// Compiles the contracts of the local chain and of the tests: node scripts/compile-contracts.mjs
// Each `Name.sol` gets a `Name.artifact.json` beside it. Both are committed, so that nobody else needs the compiler.
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import solc from "solc";

/** Every contract, as a path below the project's folder. */
export const CONTRACTS = [
  "examples/local-chain/contracts/TestUSDC.sol",
  "examples/local-chain/contracts/Multicall.sol",
  "test/support/contracts/SmartWallet.sol",
  "test/support/contracts/OwnedWallet.sol",
  "test/support/contracts/Permit2.sol",
  "test/support/contracts/UptoProxy.sol",
  "test/support/contracts/ExactProxy.sol",
  "test/support/contracts/BatchSettlement.sol",
  "test/support/contracts/DepositCollector.sol",
  "test/support/contracts/Permit2DepositCollector.sol",
  "test/support/contracts/StrangersCollector.sol",
  "test/support/contracts/Multicall3.sol",
  "test/support/contracts/PlainToken.sol",
  "test/support/contracts/Calldata.sol",
  "test/support/contracts/EnsRegistry.sol",
  "test/support/contracts/EnsResolver.sol",
  "test/support/contracts/UniversalResolver.sol",
];

const settings = {
  evmVersion: "cancun",
  viaIR: true,
  optimizer: { enabled: true, runs: 200 },
  // Without the metadata hash the bytecode follows from the code alone, not from its comments or its folder.
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["abi", "evm.deployedBytecode.object"] } },
};

/**
 * The artifact of one contract file, which holds a contract of the file's name.
 * @param {string} path below the project's folder
 */
export function compileContract(path) {
  const file = basename(path);
  const name = basename(path, ".sol");
  const content = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  const input = { language: "Solidity", sources: { [file]: { content } }, settings };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join("\n"));

  const { abi, evm } = output.contracts[file][name];
  return { abi, deployedBytecode: `0x${evm.deployedBytecode.object}`, compiler: solc.version() };
}

/** @param {string} path of a contract's source */
export const artifactPath = (path) => path.replace(/\.sol$/, ".artifact.json");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of CONTRACTS) {
    const target = new URL(`../${artifactPath(path)}`, import.meta.url);
    writeFileSync(target, `${JSON.stringify(compileContract(path), null, 2)}\n`);
    console.log(artifactPath(path));
  }
}
