//! The reference values were computed with fifty decimal digits.

use super::*;

fn assert_close(value: f64, expected: f64, relative: f64, what: impl std::fmt::Debug) {
    let error = (value - expected).abs();
    assert!(
        error <= relative * expected.abs(),
        "{what:?}: {value:e} instead of {expected:e}"
    );
}

#[test]
fn gamma_function() {
    for (z, expected) in [
        (1e-5, 11.512_919_692_895_826),
        (0.5, 0.572_364_942_924_700_1),
        (1.5, -0.120_782_237_635_245_22),
        (3.25, 0.935_801_931_108_725_4),
        (100.0, 359.134_205_369_575_4),
        (1e6, 1.281_550_456_914_761_2e7),
        (1e9, 1.972_326_582_750_371_7e10),
        (1e12, 2.663_102_111_591_565e13),
    ] {
        assert_close(ln_gamma(z), expected, 2e-14, z);
    }
    assert!(ln_gamma(1.0).abs() < 1e-14 && ln_gamma(2.0).abs() < 1e-14);
    assert!(ln_gamma(0.0).is_nan() && ln_gamma(f64::NAN).is_nan());
}

#[test]
fn beta_function() {
    assert_close(ln_beta(0.5, 0.5), std::f64::consts::PI.ln(), 1e-14, "half");
    assert_close(ln_beta(3.0, 4.0), (1.0f64 / 60.0).ln(), 1e-14, "3, 4");
    // B(2, b) = 1 / (b (b + 1)), where a difference of logarithms of gamma would have no digit.
    let b = 1e15f64;
    assert_close(ln_beta(2.0, b), -b.ln() - (b + 1.0).ln(), 1e-14, "large");
    assert_close(ln_beta(b, 2.0), ln_beta(2.0, b), 1e-15, "symmetric");
    assert!(ln_beta(-1.0, 2.0).is_nan() && ln_beta(f64::INFINITY, 1.0).is_nan());
}

/// Parameters, lower tail, upper tail.
const BETA: [(f64, f64, f64, f64, f64); 13] = [
    (0.5, 0.5, 0.25, 1.0 / 3.0, 2.0 / 3.0),
    (2.5, 3.5, 0.75, 0.9561143367631075, 0.043885663236892504),
    (1.0, 1e9, 1e-9, 0.6321205590124974, 0.3678794409875026),
    (3.0, 997.0, 0.01, 0.9972983883378738, 0.002701611662126202),
    (20.0, 1e6, 1e-5, 0.0034548831768511615, 0.9965451168231488),
    (1e3, 2e3, 0.3, 4.0738279160507714e-05, 0.9999592617208395),
    (1e3, 2e3, 0.375, 0.9999990154452356, 9.845547644257724e-07),
    (
        1e5,
        3e5,
        0.2515625,
        0.9886851685223477,
        0.011314831477652334,
    ),
    (
        1e6,
        1e6,
        0.5009765625,
        0.9971287912796314,
        0.0028712087203686316,
    ),
    (
        1e7,
        1e7,
        0.4998779296875,
        0.13745389974318267,
        0.8625461002568173,
    ),
    (
        1e3,
        1e12,
        1.0625e-9,
        0.9742430798808722,
        0.025756920119127762,
    ),
    (0.5, 50.0, 0.001, 0.24763098003462322, 0.7523690199653768),
    (1e9, 2e9, 0.33334, 0.7807114956828384, 0.21928850431716165),
];

#[test]
fn beta_law() {
    for (a, b, x, lower, upper) in BETA {
        assert_close(regularised_beta(a, b, x), lower, 1e-11, (a, b, x));
        assert_close(regularised_beta_upper(a, b, x), upper, 1e-11, (a, b, x));
        let mirrored = regularised_beta_upper(b, a, 1.0 - x);
        assert_close(mirrored, lower, 1e-7, ("mirrored", a, b, x));
    }
    assert_eq!(regularised_beta(2.0, 3.0, 0.0), 0.0);
    assert_eq!(regularised_beta(2.0, 3.0, 1.0), 1.0);
    for (a, b, x) in [(0.0, 1.0, 0.5), (1.0, f64::NAN, 0.5), (1.0, 1.0, 1.5)] {
        assert!(regularised_beta(a, b, x).is_nan());
    }
    // I_x(a, 1) = x^a, far into the tail.
    assert_close(regularised_beta(1.0, 1.0, 1e-12), 1e-12, 1e-13, "uniform");
    assert_close(regularised_beta(7.0, 1.0, 1e-20), 1e-140, 1e-12, "power");
}

#[test]
fn gamma_law() {
    for (shape, x, lower, upper) in [
        (0.5, 0.25, 0.5204998778130465, 0.4795001221869535),
        (1.0, 2.0, 0.8646647167633873, 0.1353352832366127),
        (385.0, 350.0, 0.03409432954101312, 0.9659056704589869),
        (385.0, 420.5, 0.961911560684513, 0.038088439315487055),
        (1e4, 10250.0, 0.9934821365116574, 0.006517863488342559),
        (1e6, 997000.0, 0.0013381041673135997, 0.9986618958326864),
        (1e6, 1003000.0, 0.9986382593537824, 0.0013617406462175915),
        (1e8, 1e8 - 2e4, 0.022744732581593558, 0.9772552674184064),
    ] {
        assert_close(regularised_gamma(shape, x), lower, 1e-11, (shape, x));
        assert_close(regularised_gamma_upper(shape, x), upper, 1e-11, (shape, x));
    }
    assert_close(regularised_gamma(1.0, 1e-12), 1e-12, 1e-12, "exponential");
    assert_eq!(regularised_gamma(3.0, 0.0), 0.0);
    assert_eq!(regularised_gamma(3.0, f64::INFINITY), 1.0);
    assert!(regularised_gamma(-1.0, 1.0).is_nan() && regularised_gamma(1.0, -1.0).is_nan());
}

/// Where the continued fraction is replaced by the saddle-point approximation, the two agree.
#[test]
fn approximation_of_large_parameters() {
    for deviations in [
        -20.0, -6.0, -1.5, -0.9, -0.01, 0.0, 0.01, 0.9, 1.5, 6.0, 20.0f64,
    ] {
        let mut ratio = [0.0; 2];
        for (place, size) in [(0, 0.999 * SADDLE), (1, 1.001 * SADDLE)] {
            let tails = gamma::ln_tails(size, size + deviations * size.sqrt());
            ratio[place] = tails.lower - tails.upper;
        }
        assert!(
            (ratio[0] - ratio[1]).abs() < 5e-7 * (1.0 + ratio[0].abs()),
            "{deviations}: {ratio:?}"
        );
        let (a, b) = (3.0 * SADDLE, 6.0 * SADDLE);
        let x = 1.0 / 3.0 + deviations * (2.0 / 9.0 / (a + b)).sqrt();
        let exact = beta::by_fraction(a, b, x, 1.0 - x);
        let (lower, upper) = (exact.lower.exp(), exact.upper.exp());
        assert_close(regularised_beta(a, b, x), lower, 2e-9, deviations);
        assert_close(regularised_beta_upper(a, b, x), upper, 2e-9, deviations);
    }
}

#[test]
fn quantiles_invert_the_beta_law() {
    for (a, b, x, lower, upper) in BETA {
        // How far a rounding error of the tail moves the quantile.
        let tolerance = 1e-11;
        assert_close(
            inverse_regularised_beta_upper(a, b, upper),
            x,
            tolerance,
            (a, b, x),
        );
        if lower < 0.9 {
            assert_close(
                inverse_regularised_beta(a, b, lower),
                x,
                tolerance,
                (a, b, x),
            );
        }
    }
    for a in [0.3, 1.0, 5.0, 1e3, 1e6, 1e9, 1e15] {
        for b in [0.3, 1.0, 7.0, 1e4, 1e9, 1e15] {
            for p in [1e-300, 1e-12, 0.025, 0.5, 0.9] {
                let x = inverse_regularised_beta(a, b, p);
                assert!((0.0..=1.0).contains(&x), "{a} {b} {p}: {x}");
                let size = a.max(b);
                if x > 0.0 && 1.0 - x > 1e-3 {
                    let error = 1e-12 + 1e-14 * size.sqrt();
                    let again = ln_tails_of(a, b, x);
                    assert!(
                        (again - p.ln()).abs() <= error * (1.0 - p.ln()),
                        "{a} {b} {p}: {x} {again}"
                    );
                }
            }
        }
    }
    assert_eq!(inverse_regularised_beta(2.0, 3.0, 0.0), 0.0);
    assert_eq!(inverse_regularised_beta(2.0, 3.0, 1.0), 1.0);
    assert_eq!(inverse_regularised_beta(2.0, 3.0, 7.0), 1.0);
    assert!(inverse_regularised_beta(2.0, 3.0, f64::NAN).is_nan());
    assert!(inverse_regularised_beta(0.0, 3.0, 0.5).is_nan());
}

fn ln_tails_of(a: f64, b: f64, x: f64) -> f64 {
    regularised_beta(a, b, x).ln()
}

#[test]
fn excess_of_the_logarithm() {
    for w in [-3.0, -0.21, -0.19, 0.19, 0.21, 0.9f64] {
        assert_close(ln_excess(w), -(-w).ln_1p() - w, 1e-13, w);
    }
    assert_close(ln_excess(1e-12), 0.5e-24, 1e-11, "small");
    assert_eq!((ln_excess(0.0), ln_excess(1.0)), (0.0, f64::INFINITY));
}
