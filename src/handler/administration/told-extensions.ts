/** How facilitators last took the extensions of payments, as the instances of a host left it in their store. */
export { keptExtensions as toldExtensions } from "../../payment/x402/told-extensions.js";
