import { useState } from "react";
import { Button } from "./button.tsx";
import { type DayRange, lastDays, rangeFault, usualDays } from "./day-range.ts";
import { TextField } from "./fields.tsx";
import { locale } from "./locale.ts";

export interface RangeFormProps {
  value: DayRange;
  onChange: (range: DayRange) => void;
  daysMax?: number | undefined;
}

export const RangeForm = ({ value, onChange, daysMax = 400 }: RangeFormProps) => {
  const [range, setRange] = useState(value);
  const fault = rangeFault(range, daysMax);
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!fault) onChange(range);
      }}
    >
      <div className="flex gap-2">
        {usualDays
          .filter((count) => count <= daysMax)
          .map((count) => (
            <Button key={count} size="small" onClick={() => onChange(lastDays(count, new Date()))}>
              {locale.text("range.last", { count })}
            </Button>
          ))}
      </div>
      <div className="flex gap-3">
        {(["from", "to"] as const).map((end) => (
          <TextField
            key={end}
            label={locale.text(end === "from" ? "range.firstDay" : "range.lastDay")}
            type="date"
            value={range[end]}
            onChange={(event) => setRange({ ...range, [end]: event.target.value })}
          />
        ))}
      </div>
      <p role="status" className="min-h-4 text-xs text-danger">
        {fault && locale.text(fault, { count: daysMax })}
      </p>
      <Button type="submit" kind="primary" disabled={fault !== undefined}>
        {locale.text("apply")}
      </Button>
    </form>
  );
};
