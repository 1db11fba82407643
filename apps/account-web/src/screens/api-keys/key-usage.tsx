import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { shownLanguage } from "../../languages/i18n.ts";

type Day = CallReply<typeof operations.apikey.readApiKeyUsage>["days"][number];

const refusedOn = ({ rateLimited, exhausted, expired, disabled, forbidden }: Day): number =>
  rateLimited + exhausted + expired + disabled + forbidden;

/** The days are days in UTC. */
const dayText = (day: string): string =>
  new Intl.DateTimeFormat(shownLanguage(), { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(day),
  );

const Days = ({ days }: { days: readonly Day[] }) => {
  const { t } = useTranslation("apiKeys");
  const number = new Intl.NumberFormat(shownLanguage());
  return (
    <table className="w-full text-start">
      <thead className="text-muted">
        <tr>
          <th className="py-1 text-start font-medium">{t("usage.day")}</th>
          <th className="py-1 text-end font-medium">{t("usage.valid")}</th>
          <th className="py-1 text-end font-medium">{t("usage.refused")}</th>
        </tr>
      </thead>
      <tbody className="tabular-nums">
        {days.toReversed().map((day) => (
          <tr key={day.day} className="border-t">
            <td className="py-1">{dayText(day.day)}</td>
            <td className="py-1 text-end">{number.format(day.valid)}</td>
            <td className="py-1 text-end">{number.format(refusedOn(day))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

interface KeyUsageProps {
  id: string;
  name: string;
  onClose: () => void;
}

/** How often a key was used and refused in the last 30 days. */
export const KeyUsage = ({ id, name, onClose }: KeyUsageProps) => {
  const { t } = useTranslation("apiKeys");
  const usage = useQuery(operationQuery(operations.apikey.readApiKeyUsage, { query: { id } }));
  return (
    <OpenDialog title={t("usage.title", { name })} description={t("usage.text")} onClose={onClose}>
      <Reading of={usage}>
        {({ days }) =>
          days.length === 0 ? <p className="text-muted">{t("usage.none")}</p> : <Days days={days} />
        }
      </Reading>
    </OpenDialog>
  );
};
