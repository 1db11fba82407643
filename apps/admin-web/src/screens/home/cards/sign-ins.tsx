import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import type { DayRange } from "@latchkey/ui/components/day-range.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";
import { useQuery } from "@tanstack/react-query";
import { Unread } from "../../../components/errors/error-state.tsx";
import { useSeen } from "../../../components/use-seen.ts";
import { StaleNotice } from "../../../components/errors/stale-notice.tsx";
import { methodText, refusalTexts } from "../../../components/users/sign-in-words.ts";
import { againMs } from "../use-statistics.ts";
import { t } from "../../../texts.ts";

interface Share {
  readonly label: string;
  readonly count: number;
}

/** Adds up the counts by label, the largest first. */
const sharesOf = (counts: readonly Share[]): Share[] => {
  const sums = new Map<string, number>();
  for (const { label, count } of counts) sums.set(label, (sums.get(label) ?? 0) + count);
  return [...sums]
    .map(([label, count]) => ({ label, count }))
    .toSorted((one, other) => other.count - one.count);
};

interface SharesProps {
  title: string;
  counts: readonly Share[];
  empty: string;
  /** The colour of the bars. */
  fill: string;
}

const Shares = ({ title, counts, empty, fill }: SharesProps) => {
  const shares = sharesOf(counts);
  const most = Math.max(...shares.map(({ count }) => count), 1);
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-muted">{title}</h3>
      {shares.length === 0 && <p>{empty}</p>}
      <ul aria-label={title} className="flex flex-col gap-2">
        {shares.map(({ label, count }) => (
          <li key={label}>
            <p className="flex justify-between gap-3">
              <span className="truncate">{label}</span>
              <span className="tabular-nums">{numberText(count)}</span>
            </p>
            <svg aria-hidden="true" className="h-1.5 w-full rounded-full bg-sunken">
              <rect width={`${(100 * count) / most}%`} height="100%" rx="3" className={fill} />
            </svg>
          </li>
        ))}
      </ul>
    </div>
  );
};

/** Shows by which methods users signed in, and why sign-ins were refused. */
export const SignIns = ({ range: { from, to } }: { range: DayRange }) => {
  const { ref, isSeen } = useSeen();
  const reading = useQuery({
    ...operationQuery(operations.identity.adminReadSignInMethods, { query: { from, to } }),
    enabled: isSeen,
    refetchInterval: againEvery(againMs),
  });
  const { data } = reading;
  return (
    <div ref={ref}>
      <Card title={t("home.signIns.title")}>
        {!data && <Unread reading={reading} className="h-40 w-full" />}
        {data && (
          <>
            <StaleNotice reading={reading} />
            <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
              <Shares
                title={t("home.signIns.methods")}
                counts={data.counts.map(({ method, signIns }) => ({
                  label: methodText(method),
                  count: signIns,
                }))}
                empty={t("home.signIns.none")}
                fill="fill-link"
              />
              <Shares
                title={t("home.signIns.refusals")}
                counts={data.refusals.map(({ reason, refusals }) => ({
                  label: refusalTexts[reason],
                  count: refusals,
                }))}
                empty={t("home.signIns.noneRefused")}
                fill="fill-warning"
              />
            </div>
          </>
        )}
      </Card>
    </div>
  );
};
