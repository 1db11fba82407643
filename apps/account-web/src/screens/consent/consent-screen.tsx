import { showEmail } from "@latchkey/contracts/email-address.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { CardPage } from "../../components/card-page.tsx";
import { ScopeList } from "../../components/scope-list.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useTranslation } from "../../languages.ts";
import { hasDeviceSessions } from "../../session/device-sessions.ts";
import { ScreenError } from "../../shell/screen-error.tsx";
import { Splash } from "../../shell/splash.tsx";

const route = getRouteApi("/consent");
const { getOauthPublicClient, oauthConsent } = operations.oauth;

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Returns the place to which the browser goes afterwards, as users know it. */
const placeOf = (redirectUri: string): { shown: string; isOnThisDevice: boolean } => {
  const url = URL.parse(redirectUri);
  if (!url) return { shown: "", isOnThisDevice: false };
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  if (!isWeb) return { shown: url.protocol.slice(0, -1), isOnThisDevice: true };
  return { shown: url.host, isOnThisDevice: loopbackHosts.has(url.hostname) };
};

const useAnswer = (query: string) =>
  useChange({
    mutationFn: (accept: boolean) => call(oauthConsent, { body: { accept, oauth_query: query } }),
    onSuccess: ({ url }) => window.location.assign(url),
  });

/** Leads to the choice of another user of this browser, or to the sign-in of one, and from there back to the request. */
const OtherAccount = ({ back }: { back: string }) => {
  const t = useTranslation("choose");
  const redirect_to = `${window.location.origin}${pageFacts.basePath}/oauth2/authorize?${back}`;
  return (
    <p className="text-center">
      {hasDeviceSessions ? (
        <TextLink to="/choose" search={{ redirect_to }}>
          {t("other")}
        </TextLink>
      ) : (
        <TextLink to="/sign-in" search={{ redirect_to, add: "true" }}>
          {t("other")}
        </TextLink>
      )}
    </p>
  );
};

/** Asks whether an application may use scopes of the user. */
export const ConsentScreen = () => {
  const t = useTranslation("consent");
  const { query, back } = route.useSearch();
  const { session } = route.useRouteContext();
  const answer = useAnswer(query);
  const request = new URLSearchParams(query);
  const scopes = (request.get("scope") ?? "").split(" ").filter(Boolean);
  const client_id = request.get("client_id") ?? "";
  const client = useQuery({
    queryKey: ["operation", "getOauthPublicClient", client_id],
    queryFn: ({ signal }) => call(getOauthPublicClient, { query: { client_id } }, signal),
  });
  if (client.error) return <ScreenError error={client.error} reset={() => void client.refetch()} />;
  if (!client.data) return <Splash />;
  const { shown: place, isOnThisDevice } = placeOf(request.get("redirect_uri") ?? "");
  const name = client.data.client_name ?? place;
  // The browser is on its way once the answer has come.
  const sent = answer.isPending || answer.isSuccess ? answer.variables : undefined;
  const [isAllowing, isDenying] = [sent ?? false, sent !== undefined && !sent];
  return (
    <CardPage
      title={t("title", { name })}
      lead={t("lead", { place, email: showEmail(session.user.email) })}
    >
      <ScopeList label={t("list")} scopes={scopes} />
      {!client.data.is_verified && <Notice>{t("notVerified")}</Notice>}
      {isOnThisDevice && <Notice>{t("onDevice")}</Notice>}
      {answer.error && <FormError error={answer.error} />}
      <Button kind="primary" isBusy={isAllowing} onClick={() => answer.mutate(true)}>
        {t("allow")}
      </Button>
      <Button isBusy={isDenying} onClick={() => answer.mutate(false)}>
        {t("deny")}
      </Button>
      {back !== undefined && <OtherAccount back={back} />}
    </CardPage>
  );
};
