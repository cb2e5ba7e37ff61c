/** Sign-in of wallets, beside that for their own data. */

export interface SignInOptions {
  /** Ids of endpoints that are free for wallets that sign in; anybody else pays their prices. */
  free?: readonly string[];
  /**
   * True gives a wallet that signs in the answer that it bought to the same request, for as long as it is kept: for a
   * day, or until its payment expires, at most seven. Default false.
   */
  again?: boolean;
}
