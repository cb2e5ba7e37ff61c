/** viem as a part of the bundle: loading it takes real time, for which a simulated world does not wait. */
export * from "viem/utils";
