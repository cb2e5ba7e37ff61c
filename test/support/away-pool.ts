/** A pool whose server is away: enough for a host to have wallets, as long as nothing asks for any. */
const away = () => Promise.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" }));

export const awayPool = { query: away, connect: away };
