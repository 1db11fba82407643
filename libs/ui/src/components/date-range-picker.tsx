import { CalendarDays } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";
import { lazyModule } from "./lazy-module.ts";
import { Popover } from "./popover.tsx";
import { rangeText } from "./day-text.ts";
import type { RangeFormProps } from "./range-form.popup.tsx";
import { locale } from "./locale.ts";
import { useNow } from "./use-now.ts";

const popup = lazyModule(() => import("./range-form.popup.tsx"));

const RangeForm = (props: RangeFormProps) => {
  const loaded = popup.useModule();
  return loaded && <loaded.RangeForm {...props} />;
};

/** Chooses a range of UTC days, both inclusive. */
export const DateRangePicker = (props: RangeFormProps) => {
  const [isOpen, setIsOpen] = useState(false);
  const now = useNow();
  return (
    <Popover
      title={locale.text("range.title")}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button>
          <CalendarDays />
          <span className="sr-only">{locale.text("range.title")}</span>
          {rangeText(props.value, now)}
        </Button>
      }
    >
      <RangeForm
        {...props}
        onChange={(range) => {
          setIsOpen(false);
          props.onChange(range);
        }}
      />
    </Popover>
  );
};
