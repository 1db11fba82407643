import { usePasskeyAutofill } from "@latchkey/ui/passkeys/use-passkey-autofill.ts";
import { rememberMethod } from "../../session/last-method.ts";
import type { SignInUse } from "./use-sign-in.ts";

/** Signs in by a passkey, and remembers that as the last way used. */
export const usePasskey = ({ onSignedIn, onChallenge }: SignInUse) =>
  usePasskeyAutofill(async (reply) => {
    rememberMethod("passkey");
    if ("twoFactorRedirect" in reply) onChallenge(reply);
    else await onSignedIn();
  });
