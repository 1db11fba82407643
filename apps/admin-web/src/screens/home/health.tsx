import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Table, TableRow } from "@latchkey/ui/components/table.tsx";
import { useQuery } from "@tanstack/react-query";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";

const { adminReadHealth } = operations.gateway;

type ServiceHealth = CallReply<typeof adminReadHealth>["services"][number];

const againMs = 15_000;

/** Queries the health of every service periodically. */
const useHealth = () =>
  useQuery({ ...operationQuery(adminReadHealth, {}), refetchInterval: againEvery(againMs) });

const columns = ["Service", "State", "Version", "Depends on"];
const widths = ["w-32", "w-36", "w-20"];

const Checks = ({ name, checks }: ServiceHealth) => {
  const entries = Object.entries(checks);
  if (entries.length === 0) return <span className="text-muted">–</span>;
  return (
    <ul aria-label={`What ${name} depends on`} className="flex flex-wrap gap-1">
      {entries.map(([check, isThere]) => (
        <li key={check}>
          <Badge tone={isThere ? "neutral" : "warning"}>
            {isThere ? check : `${check} does not answer`}
          </Badge>
        </li>
      ))}
    </ul>
  );
};

const stateOf = ({ isReady, version, checks }: ServiceHealth) => {
  if (isReady) return <Badge tone="success">Ready</Badge>;
  // An earlier version reports its dependencies but not its version.
  const answers = version !== null || Object.keys(checks).length > 0;
  return <Badge tone="warning">{answers ? "Not ready" : "Not responding"}</Badge>;
};

const cellsOf = (service: ServiceHealth) => ({
  Service: <span className="font-medium">{service.name}</span>,
  State: stateOf(service),
  Version: service.version ?? "–",
  "Depends on": <Checks {...service} />,
});

const serviceCount = 5;

const waitingCells = Object.fromEntries(
  columns.map((column) => [column, <Skeleton key={column} />]),
);

/** Shows every service, its version and its dependencies. */
export const Health = () => {
  const health = useHealth();
  const { data, error, refetch } = health;
  return (
    <Card title="Health">
      <StaleNotice reading={health} />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Table label="health of services" columns={columns} widths={widths}>
          {data
            ? data.services.map((service) => (
                <TableRow key={service.name} cells={cellsOf(service)} />
              ))
            : Array.from({ length: serviceCount }, (_, index) => (
                <TableRow key={index} cells={waitingCells} />
              ))}
        </Table>
      )}
    </Card>
  );
};
