import { Button, type ButtonProps } from "./button.tsx";
import { Tooltip } from "./tooltip.tsx";

interface IconButtonProps extends ButtonProps {
  /** What it does: its accessible name, and shown on hover and focus. */
  label: string;
}

/** A button that shows an icon only. */
export const IconButton = ({ label, ...rest }: IconButtonProps) => (
  <Tooltip text={label}>
    <Button kind="quiet" size="icon" aria-label={label} {...rest} />
  </Tooltip>
);
