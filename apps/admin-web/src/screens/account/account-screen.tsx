import { useQuery } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { Page } from "../../components/page.tsx";
import { hasPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Passkeys } from "./passkeys.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { TrustedBrowsers } from "./trusted-browsers.tsx";

const { readTwoFactorStatus } = operations.identity;

const hasSecondFactors = isOffered(readTwoFactorStatus);

const SecondFactors = () => {
  const status = useQuery(operationQuery(readTwoFactorStatus, {}));
  if (!status.data)
    return status.error ? (
      <ErrorState error={status.error} onRetry={() => void status.refetch()} />
    ) : (
      <Skeleton className="h-72" />
    );
  return (
    <>
      <StaleNotice reading={status} />
      <SecondFactor status={status.data} />
      {status.data.enabled && <TrustedBrowsers />}
    </>
  );
};

/** The signed-in admin's own second factor and passkeys. */
export const AccountScreen = () => (
  <Page title="Your account">
    {hasSecondFactors && <SecondFactors />}
    {hasPasskeys && <Passkeys />}
    {!hasSecondFactors && !hasPasskeys && (
      <EmptyState title="Second factors and passkeys are off">
        To turn them on, set the options twoFactor.enabled and passkey.enabled.
      </EmptyState>
    )}
  </Page>
);
