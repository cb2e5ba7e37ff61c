import { describe, expect, it } from "vitest";
import { CapabilityError, type ErrorCode } from "../../src/errors.js";
import { failover } from "../../src/upstream/failover.js";

const failing = (code: ErrorCode) => async () => Promise.reject(new CapabilityError(code, `first: ${code}`));
const second = async () => "second";

describe("a second upstream", () => {
  it.each<ErrorCode>(["UPSTREAM_ERROR", "UPSTREAM_TIMEOUT", "UPSTREAM_SCHEMA"])("stands in for %s", async (code) => {
    expect(await failover(failing(code), second)).toBe("second");
  });

  it.each<ErrorCode>(["UPSTREAM_RATE_LIMIT", "PROVIDER_NOT_CONFIGURED", "NOT_FOUND", "INVALID_INPUT"])(
    "does not stand in for %s",
    async (code) => {
      await expect(failover(failing(code), second)).rejects.toMatchObject({ code });
    },
  );

  it("stands in for one that is busy only where that is wanted", async () => {
    expect(await failover(failing("UPSTREAM_RATE_LIMIT"), second, { whenBusy: true })).toBe("second");
    await expect(failover(failing("NOT_FOUND"), second, { whenBusy: true })).rejects.toHaveProperty(
      "code",
      "NOT_FOUND",
    );
  });

  it("stands in for one that wants a key only where that is wanted", async () => {
    const refused = failing("PROVIDER_NOT_CONFIGURED");
    expect(await failover(refused, second, { whenNotConfigured: true })).toBe("second");
    await expect(failover(refused, second, { whenBusy: true })).rejects.toHaveProperty(
      "code",
      "PROVIDER_NOT_CONFIGURED",
    );
  });

  it("leaves the first failure standing when it fails as well, or when there is none", async () => {
    const both = failover(failing("UPSTREAM_TIMEOUT"), failing("UPSTREAM_ERROR"));
    await expect(both).rejects.toMatchObject({ message: "first: UPSTREAM_TIMEOUT" });
    await expect(failover(failing("UPSTREAM_ERROR"), undefined)).rejects.toHaveProperty("code", "UPSTREAM_ERROR");
  });
});
