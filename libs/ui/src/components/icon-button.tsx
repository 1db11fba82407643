import { Button, type ButtonProps } from "./button.tsx";
import { Tooltip } from "./tooltip.tsx";

interface IconButtonProps extends ButtonProps {
  /** The accessible name, also shown on hover and focus. */
  label: string;
}

export const IconButton = ({ label, ...rest }: IconButtonProps) => (
  <Tooltip text={label}>
    <Button kind="quiet" size="icon" aria-label={label} {...rest} />
  </Tooltip>
);
