import { Button, type ButtonProps } from "./button.tsx";
import { tooltipMark } from "./tooltip-mark.ts";

interface IconButtonProps extends ButtonProps {
  /** The accessible name. `Tooltips` also shows it on hover and focus. */
  label: string;
}

export const IconButton = ({ label, ...rest }: IconButtonProps) => (
  <Button kind="quiet" size="icon" aria-label={label} {...{ [tooltipMark]: label }} {...rest} />
);
