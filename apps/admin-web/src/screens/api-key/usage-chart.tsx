import {
  Bar,
  BarChart,
  CartesianGrid,
  Cell,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { dayText } from "@latchkey/ui/components/day-text.ts";
import { fillOf, outcomes } from "./outcomes.ts";
import type { UsageDay } from "./usage-days.ts";

const tick = { fill: "var(--color-muted)", fontSize: 11 };
const axis = { tick, stroke: "var(--color-edge)" };
const title = { fill: "var(--color-muted)", fontSize: 11 };

const placeOf = (name: unknown): number => outcomes.findIndex((outcome) => outcome.name === name);

interface UsageChartProps {
  days: readonly UsageDay[];
  /** The day that is not over, whose counts still grow. */
  today: string;
}

/** Draws the uses per day as stacked bars, with the bar of today outlined. Fills its parent. */
export const UsageChart = ({ days, today }: UsageChartProps) => (
  <ResponsiveContainer width="100%" height="100%">
    <BarChart data={[...days]} accessibilityLayer={false} margin={{ top: 4, right: 4, left: 8 }}>
      <CartesianGrid vertical={false} stroke="var(--color-line)" />
      <XAxis
        {...axis}
        dataKey="day"
        height={40}
        minTickGap={32}
        tickFormatter={(day: string) => (day === today ? "today" : dayText(day))}
        label={{ ...title, value: "Days in UTC", position: "insideBottom", offset: 2 }}
      />
      <YAxis
        {...axis}
        allowDecimals={false}
        width={56}
        label={{ ...title, value: "Uses", angle: -90, position: "insideLeft" }}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={{ fill: "var(--color-sunken)" }}
        itemSorter={({ dataKey }) => placeOf(dataKey)}
        labelFormatter={(day) => (day === today ? `${today}, so far` : day)}
        itemStyle={{ color: "var(--color-ink)" }}
        contentStyle={{
          background: "var(--color-surface)",
          border: "1px solid var(--color-line)",
          borderRadius: 6,
        }}
      />
      {outcomes.map(({ name, label, color }) => (
        <Bar
          key={name}
          dataKey={name}
          name={label}
          stackId="uses"
          fill={fillOf(name)}
          stroke={color}
          isAnimationActive={false}
        >
          {days.map(({ day }) => (
            <Cell
              key={day}
              stroke={day === today ? "var(--color-ink)" : color}
              strokeDasharray={day === today ? "3 2" : "0"}
            />
          ))}
        </Bar>
      ))}
    </BarChart>
  </ResponsiveContainer>
);
