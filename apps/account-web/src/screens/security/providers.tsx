import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useState } from "react";
import { ConfirmDialog } from "../../components/account/form-dialog.tsx";
import { Moment } from "../../components/account/moment.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { ProviderMark } from "../../components/providers/provider-mark.tsx";
import { providerName } from "../../components/providers/provider-name.ts";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import { addressOf } from "../../session/address-of.ts";
import type { SignInAccount } from "./sign-in-account.ts";

const nameOf = (id: string): string =>
  providerName(facts.providers.find((provider) => provider.id === id) ?? { id });

interface DisconnectProps {
  account: SignInAccount;
  onClose: () => void;
}

const Disconnect = ({ account: { providerId, accountId }, onClose }: DisconnectProps) => {
  const t = useTranslation("security");
  const name = nameOf(providerId);
  const unlink = useOperation(operations.identity.unlinkAccount, {
    done: t("providers.disconnected", { name }),
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={t("providers.disconnectTitle", { name })}
      description={t("providers.disconnectText", { name })}
      action={t("providers.disconnect")}
      change={unlink}
      onConfirm={() => unlink.mutate({ body: { providerId, accountId } })}
      onClose={onClose}
    />
  );
};

/** Sends the browser to a provider, which sends it back to this screen. */
const useConnect = () =>
  useChange({
    mutationFn: async (provider: string) => {
      const { url } = await call(operations.identity.linkSocial, {
        body: {
          provider,
          callbackURL: addressOf("/security"),
          errorCallbackURL: addressOf("/error", { redirect_to: addressOf("/security") }),
        },
      });
      window.location.assign(url);
      // The button stays busy until the browser has left the page.
      await new Promise<never>(() => {});
    },
  });

/** The providers at which the user has an account, and those that can be connected. */
export const Providers = ({ accounts }: { accounts: readonly SignInAccount[] }) => {
  const t = useTranslation("security");
  const [leaving, setLeaving] = useState<SignInAccount>();
  const connect = useConnect();
  const connected = accounts.filter(({ providerId }) => providerId !== "credential");
  const others = facts.providers.filter(
    ({ id }) => !connected.some(({ providerId }) => providerId === id),
  );
  return (
    <>
      <Rows label={t("providers.title")}>
        {connected.map((account) => (
          <Row
            key={account.id}
            mark={<ProviderMark id={account.providerId} name={nameOf(account.providerId)} />}
            title={nameOf(account.providerId)}
            details={
              <>
                {t("providers.since")} <Moment at={account.createdAt} isDay />
              </>
            }
            actions={
              accounts.length > 1 && (
                <Button
                  aria-label={t("providers.disconnectTitle", { name: nameOf(account.providerId) })}
                  onClick={() => setLeaving(account)}
                >
                  {t("providers.disconnect")}
                </Button>
              )
            }
          />
        ))}
        {others.map(({ id }) => (
          <Row
            key={id}
            mark={<ProviderMark id={id} name={nameOf(id)} />}
            title={nameOf(id)}
            actions={
              <Button
                aria-label={t("providers.connectTo", { name: nameOf(id) })}
                isBusy={connect.isPending && connect.variables === id}
                onClick={() => connect.mutate(id)}
              >
                {t("providers.connect")}
              </Button>
            }
          />
        ))}
      </Rows>
      {connect.error && <FormError error={connect.error} />}
      {leaving && <Disconnect account={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
};
