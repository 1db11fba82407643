import { usePasskeyAutofill } from "@latchkey/ui/passkeys/use-passkey-autofill.ts";
import type { SignInUse } from "./use-sign-in.ts";

/** Signs in by a passkey. */
export const usePasskey = ({ enter, onChallenge }: SignInUse) =>
  usePasskeyAutofill(async (reply) => {
    if ("twoFactorRedirect" in reply) onChallenge(reply);
    else await enter();
  });
