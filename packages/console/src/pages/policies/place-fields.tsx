import { countryName } from '../../data/dial-rules.ts';

interface ForWhom {
  country?: string;
  region?: string;
}

interface Props<Rule extends ForWhom> {
  rule: Rule;
  onChange: (rule: Rule) => void;
}

/** Whom a rule is for: a country and one of its regions, by their codes. Both empty: everybody. */
export function PlaceFields<Rule extends ForWhom>({ rule, onChange }: Props<Rule>) {
  const { country = '', region = '' } = rule;
  const set = (part: 'country' | 'region', value: string) => {
    const next = { ...rule };
    if (value) next[part] = value.toUpperCase();
    else delete next[part];
    if (part === 'country' && !value) delete next.region;
    onChange(next);
  };
  return (
    <>
      <label className="inline-field">
        <span>Country</span>
        <input
          className="code-field"
          value={country}
          maxLength={2}
          placeholder="Any"
          onChange={({ target }) => set('country', target.value)}
        />
      </label>
      <label className="inline-field">
        <span>Region</span>
        <input
          className="code-field"
          value={region}
          maxLength={3}
          placeholder="Any"
          disabled={!country}
          onChange={({ target }) => set('region', target.value)}
        />
      </label>
      {country.length === 2 && (
        <span className={countryName(country) ? 'muted small' : 'problem small'}>
          {countryName(country) ?? 'not a country code'}
        </span>
      )}
    </>
  );
}
