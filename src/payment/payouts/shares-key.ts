/** The name of the record in which an account's shares are summed. */
export const sharesKey = (account: string): string => `shares:${account}`;
