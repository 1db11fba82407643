import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, XAxis, YAxis } from "recharts";

export interface DayBarsProps {
  /** The day as `day`, and a count by the key of each series. */
  days: readonly ({ readonly day: string } & Readonly<Record<string, number | string>>)[];
  series: readonly {
    readonly key: string;
    readonly label: string;
    readonly tone: "accent" | "success" | "warning" | "danger";
  }[];
}

const tick = { fill: "var(--color-muted)", fontSize: 12 };

/** Draws the bars of a day chart into its parent, whose size it takes. */
export const DayBars = ({ days, series }: DayBarsProps) => (
  <ResponsiveContainer width="100%" height="100%">
    <BarChart data={days} accessibilityLayer={false}>
      <CartesianGrid vertical={false} stroke="var(--color-line)" />
      <XAxis dataKey="day" tick={tick} tickLine={false} axisLine={false} minTickGap={24} />
      <YAxis tick={tick} tickLine={false} axisLine={false} width={40} allowDecimals={false} />
      <Legend />
      {series.map(({ key, label, tone }) => (
        <Bar
          key={key}
          dataKey={key}
          name={label}
          stackId="all"
          fill={`var(--color-${tone})`}
          isAnimationActive={false}
        />
      ))}
    </BarChart>
  </ResponsiveContainer>
);
