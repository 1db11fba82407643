import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { useQuery } from "@tanstack/react-query";
import { Unread } from "../../../components/errors/error-state.tsx";
import { StaleNotice } from "../../../components/errors/stale-notice.tsx";
import { t } from "../../../texts.ts";

const { adminReadHealth } = operations.gateway;

type ServiceHealth = CallReply<typeof adminReadHealth>["services"][number];

const againMs = 15_000;

/** A colour that repeats the text beside it. A failure is also a ring, because colours alone do not tell for everyone. */
const Dot = ({ isGood }: { isGood: boolean }) => (
  <span
    aria-hidden="true"
    className={`size-2.5 shrink-0 rounded-full ${isGood ? "bg-success" : "border-2 border-warning"}`}
  />
);

const stateOf = ({ isReady, version, checks }: ServiceHealth): string => {
  if (isReady) return t("home.health.ready");
  // An earlier version reports its dependencies but not its version.
  return version !== null || Object.keys(checks).length > 0
    ? t("home.health.notReady")
    : t("home.health.silent");
};

const Checks = ({ name, checks }: ServiceHealth) => {
  const entries = Object.entries(checks);
  if (entries.length === 0) return null;
  return (
    <ul
      aria-label={t("home.health.dependencies", { name })}
      className="flex flex-wrap justify-end gap-x-3 text-xs text-muted"
    >
      {entries.map(([check, isThere]) => (
        <li key={check} className={isThere ? undefined : "text-warning"}>
          {isThere ? check : t("home.health.noAnswer", { name: check })}
        </li>
      ))}
    </ul>
  );
};

const Service = (service: ServiceHealth) => {
  const { name, version, isReady } = service;
  return (
    <li className="flex min-h-7 flex-wrap items-center gap-x-2.5">
      <Dot isGood={isReady} />
      <span className="font-medium">{name}</span>
      <span className={isReady ? "sr-only" : "text-warning"}>{stateOf(service)}</span>
      {version !== null && <span className="text-xs text-muted">{version}</span>}
      <span className="flex-1" />
      <Checks {...service} />
    </li>
  );
};

/** Shows every service as a dot, with its version and its dependencies. */
export const Health = () => {
  const health = useQuery({
    ...operationQuery(adminReadHealth, {}),
    refetchInterval: againEvery(againMs),
  });
  const { data } = health;
  return (
    <Card title={t("home.health.title")}>
      {!data && <Unread reading={health} className="h-44 w-full" />}
      {data && (
        <>
          <StaleNotice reading={health} />
          <ul aria-label={t("home.health.list")} className="flex flex-col gap-1">
            {data.services.map((service) => (
              <Service key={service.name} {...service} />
            ))}
          </ul>
        </>
      )}
    </Card>
  );
};
