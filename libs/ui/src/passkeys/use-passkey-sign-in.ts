import { useChange } from "../api/use-change.ts";
import { requestPasskey, type Assertion, signInByAssertion } from "./ceremonies.ts";

type Reply = Awaited<ReturnType<typeof signInByAssertion>>;

/** Returns a mutation that signs in by a passkey that the autofill returned, or else by the one that the user chooses. */
export const usePasskeySignIn = (onReply: (reply: Reply) => void | Promise<void>) =>
  useChange<void, Assertion | undefined>({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: async (picked) => {
      const assertion = picked ?? (await requestPasskey());
      if (assertion) await onReply(await signInByAssertion(assertion));
    },
  });
