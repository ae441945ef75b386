import { NumberField, TextField } from './fields.tsx';

/** Inbound calls that no worker takes. */
export function InboundSection() {
  return (
    <div className="columns">
      <TextField
        path={['inbound', 'fallback_number']}
        type="tel"
        placeholder="+15005550101"
        hint="A phone that is called when no worker takes an inbound call. The caller hears it ring."
      />
      <NumberField
        path={['inbound', 'max_wait_s']}
        hint="Empty: until 5 s before the call would end because no worker has joined."
      />
    </div>
  );
}
