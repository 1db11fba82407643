import { useState } from "react";
import { Button } from "./button.tsx";
import { type DayRange, lastDays, rangeFault } from "./day-range.ts";
import { TextField } from "./fields.tsx";

export interface RangeFormProps {
  value: DayRange;
  onChange: (range: DayRange) => void;
  daysMax?: number | undefined;
}

const presets = [7, 30, 90] as const;

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
        {presets
          .filter((count) => count <= daysMax)
          .map((count) => (
            <Button key={count} size="small" onClick={() => onChange(lastDays(count, new Date()))}>
              Last {count} days
            </Button>
          ))}
      </div>
      <div className="flex gap-3">
        {(["from", "to"] as const).map((end) => (
          <TextField
            key={end}
            label={end === "from" ? "First day (UTC)" : "Last day (UTC)"}
            type="date"
            value={range[end]}
            onChange={(event) => setRange({ ...range, [end]: event.target.value })}
          />
        ))}
      </div>
      <p role="status" className="min-h-4 text-xs text-danger">
        {fault}
      </p>
      <Button type="submit" kind="primary" disabled={fault !== undefined}>
        Apply
      </Button>
    </form>
  );
};
