import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useSearch } from "@tanstack/react-router";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { addressOf } from "../../session/address-of.ts";
import { lastMethod } from "../../session/last-method.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { LastUsed } from "../last-used.tsx";
import { ProviderMark } from "./provider-mark.tsx";
import { providerName } from "./provider-name.ts";

/** Resolves never: the browser leaves the page, and the button stays busy until then. */
const leave = (url: string): Promise<never> => {
  window.location.assign(url);
  return new Promise(() => {});
};

/** Returns a mutation that leads to a provider. */
const useProvider = () => {
  const { redirect_to } = useSearch({ strict: false });
  return useChange({
    isProof: true,
    meta: { access: "anyone" },
    mutationFn: async (provider: string) => {
      const reply = await call(operations.identity.signInSocial, {
        body: {
          provider,
          callbackURL: addressOf("/continue", { redirect_to }),
          errorCallbackURL: addressOf("/error", { redirect_to }),
          requestSignUp: true,
        },
      });
      if (!("url" in reply) || reply.url === undefined)
        throw new TypeError("the sign-in at the provider has no address");
      await leave(reply.url);
    },
  });
};

/** More providers than this are rows of icons. */
const namedMax = 3;

type Provider = (typeof facts.providers)[number];

/** Returns the class of a grid whose rows are about equally long. */
const gridOf = (count: number): string => {
  const columns = Math.ceil(count / Math.ceil(count / 5));
  return ["grid-cols-3", "grid-cols-4", "grid-cols-5"][columns - 3] ?? "grid-cols-2";
};

/** A button for each provider. Of many, all but the one that was used last are icons. */
export const ProviderButtons = ({ providers = facts.providers }) => {
  const t = useTranslation("signIn");
  const start = useProvider();
  const isLast = ({ id }: Provider) => lastMethod() === `provider:${id}`;
  const takesRows = providers.length > namedMax;
  const icons = providers.filter((provider) => takesRows && !isLast(provider));
  const buttonOf = (provider: Provider) => {
    const { id } = provider;
    const name = providerName(provider);
    const label = t("continueWith", { name });
    const isIcon = icons.includes(provider);
    return (
      <Button
        key={id}
        className="w-full"
        isBusy={start.isPending && start.variables === id}
        onClick={() => start.mutate(id)}
        {...(isIcon && { title: label, "aria-label": label })}
      >
        <ProviderMark id={id} name={name} />
        {!isIcon && label}
        {!isIcon && isLast(provider) && <LastUsed />}
      </Button>
    );
  };
  return (
    <div className="flex flex-col gap-2">
      {providers.filter((provider) => !icons.includes(provider)).map(buttonOf)}
      {icons.length > 0 && (
        <div className={`grid gap-2 ${gridOf(icons.length)}`}>{icons.map(buttonOf)}</div>
      )}
      {start.error && <FormError error={start.error} />}
    </div>
  );
};
