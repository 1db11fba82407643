import { useEffect, useEffectEvent } from "react";
import { offerAutofill } from "./ceremonies.ts";
import { offersPasskeys } from "./offers-passkeys.ts";
import { usePasskeySignIn } from "./use-passkey-sign-in.ts";

/**
 * Signs in by a passkey, which the user picks from the autofill of the form or in a dialog of the browser. Parameters and mutation are those
 * of `usePasskeySignIn`.
 */
export const usePasskeyAutofill = (onReply: Parameters<typeof usePasskeySignIn>[0]) => {
  const signIn = usePasskeySignIn(onReply);
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
