/** The choices with one more, or without it if it was among them. */
export const toggled = <Choice>(chosen: readonly Choice[], one: Choice): Choice[] =>
  chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
