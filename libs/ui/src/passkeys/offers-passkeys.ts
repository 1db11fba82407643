import { operations } from "../api/contracts.ts";
import { isOffered } from "../api/offered.ts";
import { isAddress } from "./is-address.ts";

/** Whether this installation has passkeys. */
export const hasPasskeys = isOffered(operations.identity.generateAuthenticateOptions);

/** Whether a passkey can be used or added here: the browser has WebAuthn, and the page is on a domain. */
export const offersPasskeys =
  hasPasskeys &&
  typeof globalThis.PublicKeyCredential === "function" &&
  !isAddress(globalThis.location.hostname);
