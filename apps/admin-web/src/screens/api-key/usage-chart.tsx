import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { outcomes } from "./outcomes.ts";
import type { UsageDay } from "./usage-days.ts";

const tick = { fill: "var(--color-muted)", fontSize: 11 };

/** Draws the uses per day as stacked bars. Fills its parent. */
export const UsageChart = ({ days }: { days: readonly UsageDay[] }) => (
  <ResponsiveContainer width="100%" height="100%">
    <BarChart data={[...days]} accessibilityLayer={false} margin={{ top: 4, right: 4, left: 0 }}>
      <CartesianGrid vertical={false} stroke="var(--color-line)" />
      <XAxis dataKey="day" tick={tick} stroke="var(--color-line)" minTickGap={32} />
      <YAxis tick={tick} stroke="var(--color-line)" allowDecimals={false} width={48} />
      <Tooltip
        isAnimationActive={false}
        cursor={{ fill: "var(--color-sunken)" }}
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
          fill={color}
          isAnimationActive={false}
        />
      ))}
    </BarChart>
  </ResponsiveContainer>
);
