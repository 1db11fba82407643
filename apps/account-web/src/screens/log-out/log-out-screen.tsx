import { showEmail } from "@latchkey/contracts/email-address.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { CardPage } from "../../components/card-page.tsx";
import { useTranslation } from "../../languages.ts";
import { addressOf } from "../../session/address-of.ts";
import { Splash } from "../../shell/splash.tsx";

const route = getRouteApi("/log-out");
const { confirmOauthLogout, getOauthPublicClient } = operations.oauth;

/** Signs the active user out, and then leads back to the application. A changed query ends no session. */
const useLogOut = (oauth_query: string) =>
  useChange({
    isProof: true,
    mutationFn: async () => {
      const onward = await call(confirmOauthLogout, { body: { oauth_query } });
      await call(operations.identity.signOut, { body: { scope: "current" } });
      return onward;
    },
    onSuccess: ({ url }) => window.location.assign(url),
  });

/** Asks whether to sign out, because an application asks for it. */
export const LogOutScreen = () => {
  const t = useTranslation("logOut");
  const { query } = route.useSearch();
  const { session } = route.useRouteContext();
  const client_id = new URLSearchParams(query).get("client_id") ?? "";
  const client = useQuery({
    queryKey: ["operation", "getOauthPublicClient", client_id],
    queryFn: ({ signal }) => call(getOauthPublicClient, { query: { client_id } }, signal),
    enabled: client_id !== "",
  });
  const logOut = useLogOut(query);
  if (client.isLoading) return <Splash />;
  const email = showEmail(session.user.email);
  const name = client.data?.client_name;
  return (
    <CardPage
      title={t("title")}
      lead={name === undefined ? t("leadOfUnknown", { email }) : t("lead", { name, email })}
    >
      {logOut.error && <FormError error={logOut.error} />}
      <Button
        kind="primary"
        isBusy={logOut.isPending || logOut.isSuccess}
        onClick={() => logOut.mutate()}
      >
        {t("signOut")}
      </Button>
      <Button onClick={() => window.location.assign(addressOf("/"))}>{t("stay")}</Button>
    </CardPage>
  );
};
