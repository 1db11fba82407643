import { offerAutofill } from "@latchkey/ui/passkeys/ceremonies.ts";
import { offersPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { usePasskeySignIn } from "@latchkey/ui/passkeys/use-passkey-sign-in.ts";
import { useEffect, useEffectEvent } from "react";
import { rememberMethod } from "../../session/last-method.ts";
import type { SignInUse } from "./use-sign-in.ts";

/** Signs in by a passkey, which the user picks from the autofill of the form or in a dialog of the browser. */
export const usePasskey = ({ onSignedIn, onChallenge }: SignInUse) => {
  const signIn = usePasskeySignIn(async (reply) => {
    rememberMethod("passkey");
    if ("twoFactorRedirect" in reply) onChallenge(reply);
    else await onSignedIn();
  });
  const { isPending } = signIn;
  const onPicked = useEffectEvent(signIn.mutate);
  useEffect(() => {
    if (!offersPasskeys || isPending) return undefined;
    const stop = new AbortController();
    offerAutofill(stop.signal).then(
      (picked) => picked && onPicked(picked),
      // The autofill is only a convenience. The button reports what fails.
      () => {},
    );
    return () => stop.abort();
  }, [isPending]);
  return signIn;
};
