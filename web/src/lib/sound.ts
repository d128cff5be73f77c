// A few quiet sounds, made on the spot; nothing is heard unless the player switched them on.

import { memory } from "./device.svelte";

const TONES = { turn: [660, 880], cross: [520], closed: [392, 330, 262], over: [523, 659, 784] };
let context: AudioContext | undefined;

export function play(sound: keyof typeof TONES): void {
  if (!memory.sound) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const pitch of TONES[sound]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.14);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.15);
    at += 0.11;
  }
}
