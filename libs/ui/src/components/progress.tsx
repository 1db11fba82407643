import { Progress as Base } from "@base-ui/react/progress";

interface ProgressProps {
  label: string;
  value: number;
  max: number;
}

export const Progress = ({ label, value, max }: ProgressProps) => (
  <Base.Root aria-label={label} value={value} max={max}>
    <Base.Track className="h-2 overflow-hidden rounded-full bg-sunken">
      <Base.Indicator className="h-full bg-accent transition-all" />
    </Base.Track>
  </Base.Root>
);
