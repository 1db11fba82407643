import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { buttonStyle } from "../../components/ui/button-style.ts";
import { ErrorState } from "../../components/ui/error-state.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { FrontPage } from "../../shell/front-page.tsx";
import { FirstRunForm } from "./first-run-form.tsx";

const route = getRouteApi("/first-run");

const Closed = () => (
  <>
    <p>
      This link is not good any more: it has been used, a newer one has been printed, or there is an
      admin already. Start Latchkey again to have another one printed, or make an admin by{" "}
      <code className="font-mono">npx latchkey create-admin</code>.
    </p>
    <Link to="/sign-in" className={buttonStyle("primary")}>
      Sign in
    </Link>
  </>
);

const Content = ({ token }: { token: string }) => {
  const { data, error, refetch } = useQuery(
    operationQuery(operations.identity.firstRun, { query: { token } }),
  );
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-72" />;
  return data.isOpen ? <FirstRunForm token={token} /> : <Closed />;
};

/** Creates the first admin of a new installation. */
export const FirstRunScreen = () => {
  const { token } = route.useSearch();
  return (
    <FrontPage title="First admin">
      {token === undefined ? <Closed /> : <Content token={token} />}
    </FrontPage>
  );
};
