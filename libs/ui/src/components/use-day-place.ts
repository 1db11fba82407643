import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { columnAt } from "./day-bars.ts";
import type { DayRange } from "./day-range.ts";

/** The day of interest and the first of the days that are being chosen, as places in the list. */
interface Place {
  at: number | undefined;
  from: number | undefined;
  isByKey: boolean;
}

const nowhere: Place = { at: undefined, from: undefined, isByKey: false };

/** Returns the places of the first and the last day that are being chosen. */
export const chosenDays = ({
  at,
  from,
}: Place): readonly [first: number, last: number] | undefined =>
  at === undefined || from === undefined || at === from
    ? undefined
    : [Math.min(at, from), Math.max(at, from)];

/** Follows the pointer and the keys over the days of a chart. */
export const useDayPlace = (
  days: readonly { readonly day: string }[],
  onChoose: ((range: DayRange) => void) | undefined,
) => {
  const [place, setPlace] = useState(nowhere);
  const placeOf = ({ clientX, currentTarget }: PointerEvent) => {
    const { left: chartLeft, width: all } = currentTarget.getBoundingClientRect();
    return columnAt((clientX - chartLeft) / all, days.length);
  };
  const choose = () => {
    const range = chosenDays(place);
    const [first, last] = (range ?? []).map((index) => days[index]?.day);
    setPlace((was) => ({ ...was, from: undefined }));
    if (first !== undefined && last !== undefined) onChoose?.({ from: first, to: last });
  };
  const hide = () => setPlace(nowhere);
  const onPointerDown = (event: PointerEvent) => {
    if (!onChoose || event.button !== 0) return;
    const at = placeOf(event);
    setPlace({ at, from: at, isByKey: false });
  };
  const onPointerMove = (event: PointerEvent) => {
    const at = placeOf(event);
    setPlace(({ from }) => ({ at, from, isByKey: false }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && chosenDays(place)) return choose();
    if (event.key === "Escape" && place.from !== undefined) {
      event.stopPropagation();
      return setPlace({ ...place, from: undefined });
    }
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return undefined;
    event.preventDefault();
    const { at = days.length } = place;
    const from = event.shiftKey && onChoose ? (place.from ?? place.at) : undefined;
    return setPlace({ at: Math.min(Math.max(at + by, 0), days.length - 1), from, isByKey: true });
  };
  const on = {
    onPointerDown,
    onPointerMove,
    onPointerUp: () => place.isByKey || choose(),
    onPointerLeave: hide,
    onKeyDown,
    onBlur: hide,
  };
  return { place, on };
};
