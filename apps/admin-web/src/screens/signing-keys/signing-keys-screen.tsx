import { getRouteApi } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useQuery } from "@tanstack/react-query";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useAccess } from "../../access/use-access.ts";
import { Page } from "../../components/page.tsx";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { KeyCards } from "./key-cards.tsx";
import { richText } from "../../components/rich-text.tsx";
import { t } from "../../texts.ts";

const { adminListSigningKeys } = operations.identity;

const againMs = 10_000;

/** Queries the published keys. Refreshes them while a new key is about to become active. */
const useSigningKeys = () =>
  useQuery({
    ...operationQuery(adminListSigningKeys, {}),
    refetchInterval: (query) =>
      query.state.data?.keys.some(({ state }) => state === "next")
        ? againEvery(againMs)(query)
        : false,
  });

const RotateDialog = lazyDialog(async () => (await import("./rotate-dialog.tsx")).RotateDialog);

const route = getRouteApi("/shell/signing-keys");

const Keys = () => {
  const reading = useSigningKeys();
  const { data, error, refetch } = reading;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data?.keys.length === 0)
    return <EmptyState title={t("signingKeys.none")}>{t("signingKeys.noneText")}</EmptyState>;
  return (
    <>
      <StaleNotice reading={reading} />
      <KeyCards keys={data?.keys} />
      {data?.keys.some(({ opens }) => !opens) && (
        <Notice tone="warning">
          {richText("signingKeys.lockedText", { variable: <code>AUTH_SECRET</code> })}
        </Notice>
      )}
    </>
  );
};

export const SigningKeysScreen = () => {
  const { rotate } = route.useSearch();
  const navigate = route.useNavigate();
  const { may } = useAccess();
  const setIsRotating = (isOpen: boolean) =>
    void navigate({ to: ".", search: { rotate: isOpen ? "1" : undefined }, replace: true });
  return (
    <Page
      title={t("screens.signingKeys")}
      lead={richText("signingKeys.lead", { path: <code>/jwks</code> })}
      aside={
        may("signingKey:rotate") && (
          <>
            <Button onClick={() => setIsRotating(true)}>
              <RefreshCw />
              {t("signingKeys.rotate.button")}
            </Button>
            <RotateDialog isOpen={rotate !== undefined} onOpenChange={setIsRotating} />
          </>
        )
      }
    >
      <Keys />
    </Page>
  );
};
