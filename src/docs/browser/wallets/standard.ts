/** Wallets of the Wallet Standard: they and the page greet each other by events, whoever comes first. */

export interface WalletAccount {
  address: string;
  /** Absent in wallets that keep to the standard loosely. */
  chains?: readonly string[];
}

export interface SignInput {
  account: WalletAccount;
  transaction: Uint8Array;
  chain?: string;
}

/** A wallet that signs transactions of Solana. */
export interface SolanaWallet {
  name: string;
  chains: readonly string[];
  features: {
    "standard:connect": { connect(): Promise<{ accounts: readonly WalletAccount[] }> };
    "solana:signTransaction": {
      supportedTransactionVersions: readonly (number | "legacy")[];
      signTransaction(input: SignInput): Promise<readonly { signedTransaction: Uint8Array }[]>;
    };
  };
}

/** A wallet that signs texts for an account of Solana. */
export interface SolanaSigner {
  name: string;
  features: {
    "standard:connect": { connect(): Promise<{ accounts: readonly WalletAccount[] }> };
    "solana:signMessage": {
      signMessage(input: {
        account: WalletAccount;
        message: Uint8Array;
      }): Promise<readonly { signedMessage: Uint8Array; signature: Uint8Array }[]>;
    };
  };
}

/** A wallet of any chain, as it introduces itself. */
interface Stranger {
  name: string;
  chains?: readonly string[];
  features?: Record<string, { supportedTransactionVersions?: readonly unknown[] } | undefined>;
}

const found = new Set<Stranger>();
let tell = () => {};

const api = {
  /** Answers with the wallets' way out. */
  register(...wallets: Stranger[]) {
    // A careless extension must not take the page's other wallets, or its price, with it.
    for (const wallet of wallets) if (typeof wallet?.name === "string") found.add(wallet);
    tell();
    return () => {
      for (const wallet of wallets) found.delete(wallet);
      tell();
    };
  },
};

const signsForSolana = ({ chains = [], features = {} }: Stranger): boolean =>
  chains.some((chain) => chain.startsWith("solana:")) &&
  features["standard:connect"] !== undefined &&
  features["solana:signTransaction"]?.supportedTransactionVersions?.includes(0) === true;

export const solanaWallets = (): SolanaWallet[] =>
  [...found].filter(signsForSolana).map((wallet) => wallet as unknown as SolanaWallet);

const signsTexts = ({ chains = [], features = {} }: Stranger): boolean =>
  chains.some((chain) => chain.startsWith("solana:")) &&
  features["standard:connect"] !== undefined &&
  features["solana:signMessage"] !== undefined;

export const solanaSigners = (): SolanaSigner[] =>
  [...found].filter(signsTexts).map((wallet) => wallet as unknown as SolanaSigner);

/** Calls back when wallets come or go: only the last one who asked. */
export function whenWalletsChange(listener: () => void): void {
  tell = listener;
}

/** Greets the wallets that are there, and waits for later ones. */
export function greetWallets(): void {
  window.addEventListener("wallet-standard:register-wallet", (event) =>
    (event as CustomEvent<(to: typeof api) => void>).detail(api),
  );
  window.dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: api }));
}
