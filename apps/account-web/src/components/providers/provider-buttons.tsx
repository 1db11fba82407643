import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useSearch } from "@tanstack/react-router";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { addressOf } from "../../session/address-of.ts";
import { lastMethod, rememberMethod } from "../../session/last-method.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { LastUsed } from "../last-used.tsx";
import { ProviderMark } from "./provider-mark.tsx";
import { providerName } from "./provider-name.ts";

/** Resolves never: the browser leaves the page, and the button stays busy until then. */
const leave = (url: string): Promise<never> => {
  window.location.assign(url);
  return new Promise(() => {});
};

/** A button for each configured provider. */
export const ProviderButtons = () => {
  const t = useTranslation("signIn");
  const { redirect_to } = useSearch({ strict: false });
  const start = useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: async (provider: string) => {
      const { url } = await call(operations.identity.signInSocial, {
        body: {
          provider,
          callbackURL: addressOf("/continue", { redirect_to }),
          errorCallbackURL: addressOf("/error", { redirect_to }),
          requestSignUp: true,
        },
      }).then((reply) => ("url" in reply ? reply : { url: undefined }));
      if (url === undefined) throw new TypeError("the sign-in at the provider has no address");
      rememberMethod(`provider:${provider}`);
      await leave(url);
    },
  });
  const last = lastMethod();
  return (
    <div className="flex flex-col gap-2">
      {facts.providers.map(({ id, name: given }) => {
        const name = providerName({ id, name: given });
        return (
          <Button
            key={id}
            className="w-full"
            isBusy={start.isPending && start.variables === id}
            onClick={() => start.mutate(id)}
          >
            <ProviderMark id={id} name={name} />
            {t("continueWith", { name })}
            {last === `provider:${id}` && <LastUsed />}
          </Button>
        );
      })}
      {start.error && <FormError error={start.error} />}
    </div>
  );
};
