import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { FrontPage } from "../../shell/front-page.tsx";
import { FirstRunForm } from "./first-run-form.tsx";
import { useLinkToken } from "./use-link-token.ts";

interface ClosedProps {
  /** The reason why no admin can be created here. */
  reason: string;
}

const Closed = ({ reason }: ClosedProps) => (
  <>
    <p>
      {reason} Restart Latchkey to print a new link, or create an admin with{" "}
      <code className="font-mono">npx latchkey create-admin</code>.
    </p>
    <Link to="/sign-in" className={buttonStyle("primary")}>
      Sign in
    </Link>
  </>
);

const Content = ({ token }: { token: string }) => {
  const { data, error, refetch } = useQuery(
    operationQuery(operations.identity.checkFirstRun, { body: { token } }),
  );
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-72" />;
  if (data.isOpen) return <FirstRunForm token={token} />;
  return (
    <Closed reason="This link is no longer valid. It was used, a newer link was printed, or an admin exists." />
  );
};

/** Creates the first admin of a new installation. */
export const FirstRunScreen = () => {
  const token = useLinkToken();
  return (
    <FrontPage title="First admin">
      {token === undefined ? (
        <Closed reason="Open the link that Latchkey printed. This page does not store its token, so refreshing loses it." />
      ) : (
        <Content key={token} token={token} />
      )}
    </FrontPage>
  );
};
