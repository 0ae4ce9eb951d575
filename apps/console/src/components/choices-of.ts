export const choicesOf = <const Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): readonly (readonly [Value, string])[] => values.map((value) => [value, labels[value]] as const);
